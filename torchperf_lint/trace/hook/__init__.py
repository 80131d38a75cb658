"""A folder that stands first in `PYTHONPATH` of a traced program, so that Python runs its `sitecustomize.py`."""
