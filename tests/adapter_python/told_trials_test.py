"""What TileLang and FlashInfer tell of trials, as their adapters read it."""

import importlib.util
import logging
import unittest
from pathlib import Path
from types import SimpleNamespace

ADAPTERS = Path(__file__).parents[2] / "framework" / "adapter" / "python"


def told_trials(adapter):
    """The adapter's module of that name: two have one."""
    spec = importlib.util.spec_from_file_location(
        f"{adapter}_told_trials", ADAPTERS / adapter / "told_trials.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TileLang(unittest.TestCase):
    def setUp(self):
        self.printed = []
        printed = self.printed

        class Progress:
            @classmethod
            def write(cls, text):
                printed.append(text)

        logger = logging.Logger("tuner")
        self.tuner = SimpleNamespace(tqdm=Progress, logger=logger)
        self.trials = told_trials("tilelang").ToldTrials(self.tuner)
        self.configs = [{"block": 64, "unroll": 1}, {"block": 128, "unroll": 4}]
        self.trials.begin(self.configs)

    def test_a_config_that_was_measured(self):
        line = f"Tuned Latency 0.25 with config {self.configs[1]} at index 1"
        self.tuner.tqdm.write(line)
        self.assertEqual(self.printed, [line])
        (trial,) = self.trials.told()
        self.assertEqual((trial.config, trial.median_ns, trial.failure), (self.configs[1], 250000, ""))

    def test_configs_that_failed(self):
        self.tuner.logger.debug(
            f"Compilation failed for config {self.configs[0]} at index 0 with error: no\nsecond line"
        )
        self.tuner.logger.warning(
            f"An error occurred while testing config {self.configs[1]}, checkout autotuner.log"
        )
        first, second = self.trials.told()
        self.assertEqual((first.config, second.config), tuple(self.configs))
        self.assertTrue(first.failure.endswith("with error: no"))
        self.assertIn("An error occurred", second.failure)

    def test_nothing_is_told_of_a_hit(self):
        self.tuner.logger.warning("Found kernel 'axpy' in memory cache.")
        self.assertEqual(self.trials.told(), [])
        self.tuner.tqdm.write(f"Tuned Latency 1.0 with config {self.configs[0]} at index 0")
        self.trials.begin(self.configs)
        self.assertEqual(self.trials.told(), [])


    def test_errors_are_the_users(self):
        logger = logging.Logger("tilelang")
        errors = told_trials("tilelang").ToldErrors(logger)
        logger.warning("nothing of it")
        try:
            raise OSError("no space")
        except OSError:
            logger.exception("not saved")
        self.assertEqual(errors.take(), "not saved: no space")
        self.assertEqual(errors.take(), "")
        logger.error("Error during atomic autotune result save")
        self.assertTrue(errors.take().startswith("not stored: "))


class FlashInfer(unittest.TestCase):
    def setUp(self):
        self.logger = logging.Logger("flashinfer.jit")
        self.trials = told_trials("flashinfer").ToldTrials(self.logger)
        self.trials.begin()

    def told(self):
        return self.trials.told(lambda tactic: {"block": 1 if tactic == -1 else tactic[0]})

    def test_tactics_that_were_measured(self):
        for tactic, milliseconds in ((-1, 2.0), ((64,), 0.5)):
            self.logger.debug(
                f"[Autotuner]: profiling axpy_runner {tactic}, shapes=((3,), (3,)), avg_time {milliseconds}"
            )
        self.logger.debug("[Autotuner]: profiling chosen runner: axpy_runner (64,) for a key")
        self.assertEqual(
            [(trial.config, trial.median_ns) for trial in self.told()],
            [({"block": 1}, 2e6), ({"block": 64}, 5e5)],
        )

    def test_a_tactic_that_failed(self):
        self.logger.debug(
            "[Autotuner]: Failed when profiling axpy_runner (64,), shapes=((3,),). Error occurred: out of\nmemory"
        )
        (trial,) = self.told()
        self.assertEqual((trial.config, trial.failure), ({"block": 64}, "out of memory"))

    def test_warnings_are_the_users(self):
        self.logger.warning("[Autotuner]: cached tactic failed revalidation")
        self.assertTrue(self.trials.warnings().startswith("[Autotuner]: cached tactic"))
        self.logger.warning("[Autotuner]: Failed to persist managed cache entry")
        self.assertTrue(self.trials.warnings().startswith("not stored: "))
        self.assertEqual(self.told(), [])


if __name__ == "__main__":
    unittest.main()
