"""How long a step would take without some of its waits."""
