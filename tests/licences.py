"""The licence of every installed package, as its own metadata says: python -m tests.licences"""

from collections import Counter
from importlib import metadata
from typing import Any


def licence(package: metadata.Distribution) -> str:
    """The expression, else the classifiers, else the first line of the free text."""
    told: Any = package.metadata  # a message, whose `get` its type does not have
    if expression := told.get("License-Expression"):
        return str(expression)
    classified = [
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier") or []
        if line.startswith("License :: ")
    ]
    free = str(told.get("License") or "").strip().splitlines()
    return ", ".join(classified) or (free[0][:60] if free else "not said")


def main() -> None:
    packages = {each.metadata["Name"]: each for each in metadata.distributions()}
    listed = {name: licence(packages[name]) for name in sorted(packages, key=str.casefold)}
    for name, said in listed.items():
        print(f"{name:40} {packages[name].version:16} {said}")
    for said, count in Counter(listed.values()).most_common():
        print(f"{count:4} {said}")


if __name__ == "__main__":
    main()
