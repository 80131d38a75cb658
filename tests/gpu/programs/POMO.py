"""yd-kwon/POMO at d7c3d6ea580499a53e874fe9e065f69e799a8551"""

import importlib.util
import os
import sys

stand_in("pytz", timezone=lambda _: None)
stand_in("IPython", "IPython.display", get_ipython=lambda: None, version_info=(9, 0))
stand_in("matplotlib", "matplotlib.pyplot")
NEW, HERE = FOLDER / "NEW_py_ver", os.getcwd()
TASKS, EPOCHS, PROBLEMS, TESTED, SIZES = ("TSP", "CVRP"), 2, 256, 100, {}
sys.path.insert(0, str(NEW))


def script(task, name):
    """A script of the program; it goes to its folder."""
    spec = importlib.util.spec_from_file_location(f"{task}_{name}", NEW / task / "POMO" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    os.chdir(HERE)
    made.env_params.update(SIZES)
    made.logger_params["log_file"]["desc"] = f"{task}_{name}"
    sys.modules["utils.utils"].set_result_folder("result/" + f"{task}_{name}")
    made.create_logger(**made.logger_params)
    return made


for task in TASKS:
    sys.path[:0] = [str(NEW / task), str(NEW / task / "POMO")]
    train = script(task, "train_n100")
    logs = train.trainer_params["logging"]
    logs["log_image_params_1"]["filename"] = f"style_{task.lower()}_20.json"
    train.trainer_params.update(use_cuda=DEVICE == "cuda", epochs=EPOCHS, train_episodes=PROBLEMS)
    train.Trainer(train.env_params, train.model_params, train.optimizer_params, train.trainer_params).run()
    test = script(task, "test_n100")
    given = {"path": f"result/{task}_train_n100", "epoch": EPOCHS}
    test.tester_params.update(use_cuda=DEVICE == "cuda", model_load=given, test_episodes=2 * TESTED, test_batch_size=TESTED, test_data_load={"enable": False})
    test.Tester(test.env_params, test.model_params, test.tester_params).run()
    step()
