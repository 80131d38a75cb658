"""What Dynamo says of real models: where it breaks the graph and compiles anew, and the linter's claims held against it."""
