"""The part that runs inside of the user's process, once torch is there. It must never change what the program does.

Nothing here raises into the program: what goes wrong is written into the state of the run and ends the recording.
"""
