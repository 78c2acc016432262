"""The functions of the COMP10001 projects, by their exact names (the assignment's statement, "Functions").

>>> from kibitz.coursework.comp10001 import comp10001go_score_group
>>> comp10001go_score_group(["AH", "AS", "QS", "9H", "7H", "AC"])
57
"""

from kibitz.coursework.bo import (
    comp10001bo_is_valid_play,
    comp10001bo_match_build,
    comp10001bo_match_discard,
    comp10001bo_play,
)
from kibitz.coursework.go import (
    comp10001go_best_partitions,
    comp10001go_group,
    comp10001go_play,
    comp10001go_score_group,
    comp10001go_valid_groups,
)
from kibitz.coursework.huxxy import (
    comp10001huxxy_bonus_play,
    comp10001huxxy_play,
    comp10001huxxy_score,
    comp10001huxxy_valid_play,
    comp10001huxxy_valid_table,
)

__all__ = [
    "comp10001bo_is_valid_play",
    "comp10001bo_match_build",
    "comp10001bo_match_discard",
    "comp10001bo_play",
    "comp10001go_best_partitions",
    "comp10001go_group",
    "comp10001go_play",
    "comp10001go_score_group",
    "comp10001go_valid_groups",
    "comp10001huxxy_bonus_play",
    "comp10001huxxy_play",
    "comp10001huxxy_score",
    "comp10001huxxy_valid_play",
    "comp10001huxxy_valid_table",
]
