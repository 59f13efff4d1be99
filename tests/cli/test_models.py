"""Models from the command line."""

import pytest

from tests.cli.conftest import Run
from tests.messages_server import MessagesServer


def test_the_models_of_this_machine_are_listed(run: Run) -> None:
    code, [listed] = run("models")
    assert code == 0
    states = {each["model"]: each["state"] for each in listed["models"]}
    assert states["all-MiniLM-L6-v2"] == "bundled"


def test_a_model_that_is_not_known_is_told_from_one_that_is_not_here(run: Run) -> None:
    code, [told] = run("models", "--download", "nope")
    assert code == 1
    assert told["error"].startswith("There is no such model as nope. Known are: all-MiniLM")


@pytest.mark.usefixtures("key")
def test_the_servers_models_are_listed(run: Run) -> None:
    with MessagesServer() as server:
        code, [listed] = run("models", "--server", "--base-url", server.url)
    assert code == 0
    assert listed["models"] == ["model-one", "model-two"]
