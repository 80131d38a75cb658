"""The version, alone, so that nothing else is imported to read it."""

VERSION = "0.1.0.dev0"


def is_compiled() -> bool:
    """Whether the interpreter was compiled when this was installed (setup.py); the files tell, nothing is imported."""
    from pathlib import Path

    beside = Path(__file__).with_name("facts").joinpath("domain").glob("value.*")
    return any(path.suffix in (".so", ".pyd") for path in beside)
