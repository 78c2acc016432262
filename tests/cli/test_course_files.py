"""Files like those of students pass the check although they rely on details of the course's harness."""

import pytest

BODY = """
def neighbours(card, top):
    return card[0] != 'A' and top[0] != 'A' and red(card) != red(top) and abs(at(card) - at(top)) in (1, 11)

def red(card):
    return card[1] in 'HD'

def at(card):
    return 'A234567890JQK'.index(card[0])

def builds(card, pile):
    if not pile:
        return card[0] in '2K'
    return red(card) == red(pile[-1]) and (card[0] == 'A' or abs(at(card) - at(pile[-1])) == 1)

def possible(me, hand, stockpiles, discard_piles, build_piles):
    sources = [(0, card, card) for card in hand] + [(2, stockpiles[me][0], stockpiles[me][0])]
    for owner in range(4):
        for k in range(4):
            if discard_piles[owner][k]:
                card = discard_piles[owner][k][-1]
                sources.append((1, (card, (owner, k)), card))
    for kind, source, card in sources:
        for k in range(4):
            if builds(card, build_piles[k]):
                yield kind, source, (0, k)
        for owner in range(4):
            for k in range(4):
                pile = discard_piles[owner][k]
                if kind == 1 and source[1] == (owner, k):
                    continue
                if pile and neighbours(card, pile[-1]):
                    yield kind, source, (1, (owner, k))
                elif kind == 0 and card[0] != 'A' and (pile or owner == me):
                    yield kind, source, (1, (owner, k))

def valid(play, me, hand, stockpiles, discard_piles, build_piles):
    return play in list(possible(me, hand, stockpiles, discard_piles, build_piles))
"""

IDENTITY = (
    BODY
    + """
def comp10001bo_is_valid_play(play, player_no, hand, stockpiles, discard_piles, build_piles):
    play_card = play[1][0] if play[0] == 1 else play[1]
    if play[0] == 2 and play_card is not stockpiles[player_no][0]:
        return 0
    if play[0] == 0 and not any(play_card is card for card in hand):
        return 0
    if play[0] == 3:
        return 0 if any(possible(player_no, hand, stockpiles, discard_piles, build_piles)) else 3
    if not valid(play, player_no, hand, stockpiles, discard_piles, build_piles):
        return 0
    if play[0] == 0 and play[2][0] == 1:
        pile = discard_piles[play[2][1][0]][play[2][1][1]]
        if not pile or not neighbours(play_card, pile[-1]):
            return 2
    return 1

def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    for play in possible(player_no, hand, stockpiles, discard_piles, build_piles):
        if not comp10001bo_is_valid_play(play, player_no, hand, stockpiles, discard_piles, build_piles):
            raise ValueError(play)
        return play
    return (3, None, (None, None))
"""
)

CONTAINERS = (
    BODY
    + """
seen = {}

def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    seen[stockpiles] = seen.get(stockpiles, 0) + 1
    assert (stockpiles[:player_no] + ((None, 0),) + stockpiles[player_no + 1:])[player_no] == (None, 0)
    assert build_piles[:1] + ([],) + build_piles[2:] != ()
    if len(play_history) == 0:
        assert discard_piles == (([], [], [], []),) * 4 and build_piles == ([], [], [], [])
    for entry in play_history:
        hash(entry)
        player, (kind, source, destination) = entry
    for play in possible(player_no, hand, stockpiles, discard_piles, build_piles):
        return play
    return (3, None, (None, None))
"""
)


@pytest.mark.parametrize("source", [IDENTITY, CONTAINERS], ids=["identity", "containers"])
def test_bo_file_relying_on_the_course_harness_passes_the_check(kibitz, tmp_path, source):
    """Cards compared by ``is``, tuples as keys and in ``+``: the course's own harness allows all of this."""
    file = tmp_path / "player.py"
    file.write_text(source, encoding="utf-8")
    answer = kibitz("check-player", "bo", file, "--games", "4", "--against", "random")
    assert answer.status == 0, answer.out
    assert "can play" in answer.lines[-2]
    if "is_valid_play" in source:
        assert "published examples give the right result" in answer.out
