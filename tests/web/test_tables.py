"""Tables as people use them: created, played at, left, resumed."""

from __future__ import annotations

import pytest

from kibitz.engine.registry import all_games
from kibitz.table.table import NOTE_SENTENCES
from tests.web.serving import play_on

AUTO = {"pace": "skip", "auto": True}


def short_games() -> list[str]:
    """The smallest variant of each package."""
    found: dict[str, str] = {}
    for game in all_games():
        family = game.name.partition("-")[0]
        if family not in found or game.name.endswith("-mini"):
            found[family] = game.name
    found["holdem"] = "holdem:hands=1,players=2"
    return sorted(found.values())


@pytest.mark.parametrize("game", short_games())
def test_every_game_can_be_played_and_replayed(ann, game):
    """A client that sends each choice once is never refused, even if an only action was played automatically before."""
    table = ann.table(game, settings=AUTO)
    with ann.at(table) as line:
        last = play_on(line)
        logged = [line for message in line.seen if message["type"] == "events" for line in message["events"]]
        assert not any(m["forced"] and m["undo"] for m in line.seen if m["type"] == "state")
    assert last["outcome"]["path"] == f"/games/{table}"
    assert last["events"] == len(logged)
    played = ann.get(f"/api/played/{table}").json()
    assert played["outcome"]["scores"] == last["outcome"]["scores"]
    for view in ("open", "spectator", "0"):
        asked = {"view": view, "from": max(0, played["steps"] - 3)}
        steps = ann.get(f"/api/played/{table}/steps", params=asked).json()
        assert steps["steps"][-1]["step"] == played["steps"]
        assert steps["steps"][-1]["scene"]["zones"]
    assert ann.post(f"/api/played/{table}/verify").json()["true"]


def test_the_commitment_matches_the_revealed_seed(ann):
    from kibitz.engine.record import commitment

    with ann.at(ann.table("kuhn")) as line:
        hello = line.read()
        last = play_on(line)
    assert hello["commitment"] == commitment(int(last["outcome"]["seed"]))


def test_a_returning_client_gets_missed_messages_once(ann):
    table = ann.table("go-mini")
    with ann.at(table) as line:
        state = line.state()
        line.ask("act", action=state["legal"][0]["action"])
        told = [each for message in line.seen if message["type"] == "events" for each in message["events"]]
    with ann.at(table, f"?epoch=0&since={len(told)}") as line:
        state = line.state()
        since = [message["since"] for message in line.seen if message["type"] == "events"]
        assert all(number >= len(told) for number in since)
        assert state["turn"] == 1
    with ann.at(table) as line:
        assert line.until(lambda m: m["type"] == "events")["since"] == 0


def test_a_repeated_request_is_carried_out_once(ann):
    with ann.at(ann.table("go-mini")) as line:
        state = line.state()
        request = f'{{"type":"act","id":"mine","action":{state["legal"][0]["action"]}}}'
        line.send(request)
        line.until(lambda m: m["type"] == "done" and m["id"] == "mine")
        after = line.state()
        line.send(request)
        assert line.until(lambda m: m.get("id") == "mine")["type"] == "done"
        assert line.ask("ping")["type"] == "pong"
        assert after["turn"] == 1
        assert [m["turn"] for m in line.seen if m["type"] == "state"][-1] == 1


def test_two_people_play_by_invitation_and_see_only_their_own_cards(ann, ben):
    table, invite = ann.inviting(name="Ann")
    with ann.at(table) as one:
        assert one.until(lambda m: m["type"] == "state")["scene"] is None
        assert ben.post(f"/api/tables/{table}/seat", {"invite": "wrong"}).status_code == 403
        assert ben.post(f"/api/tables/{table}/seat", {"invite": invite, "name": "Ben"}).json() == {"seat": 1}
        with ben.at(table) as other:
            mine, theirs = one.state(), other.until(lambda m: m["type"] == "state")
            assert [zone["spots"] for zone in mine["scene"]["zones"] if zone["key"].endswith("0")] != [
                zone["spots"] for zone in theirs["scene"]["zones"] if zone["key"].endswith("0")
            ]
            refused = other.ask("act", action=mine["legal"][0]["action"])
            assert refused["type"] == "refused"
            assert "Ann" in refused["sentence"]


def test_a_rematch_keeps_the_people_and_rotates_the_deal(ann):
    table = ann.table("kuhn")
    with ann.at(table) as line:
        play_on(line)
        line.ask("rematch")
        again = next(m for m in line.seen if m["type"] == "rematch")["table"]
        line.ask("rematch")
        assert {m["table"] for m in line.seen if m["type"] == "rematch"} == {again}
    with ann.at(again) as line:
        assert line.read()["seat"] == 1
        play_on(line)


def build_action(state):
    """An action that moves a card of the hand onto a build pile, otherwise the first legal one."""
    for choice in state["legal"]:
        keys = [state["parts"][part]["key"] for part in choice["parts"]]
        if keys[0].startswith("hand") and keys[-1].startswith("build"):
            return choice["action"]
    return state["legal"][0]["action"]


def count_undos(line):
    """Play and try to undo every choice; returns how often that worked."""
    state, went_well = line.state(), 0
    while not state["over"] and not went_well:
        line.ask("act", action=build_action(state), turn=state["turn"])
        after = line.state()
        answer = {"type": "refused"} if after["over"] else line.ask("undo")
        assert after["undo"] == (answer["type"] == "done")
        if after["undo"]:
            back = line.state()
            assert back["epoch"] == after["epoch"] + 1
            assert [choice["action"] for choice in back["legal"]] == [choice["action"] for choice in state["legal"]]
            went_well += 1
        state = after
    return went_well


def test_a_choice_can_be_undone_only_if_nothing_was_revealed(ann):
    for _ in range(20):
        with ann.at(ann.table("bo-mini")) as line:
            if count_undos(line):
                assert line.ask("undo")["type"] == "refused" or line.state()["epoch"] == 2
                return
    pytest.fail("no choice could be taken back in twenty games")


def test_a_hint_is_legal_explained_noted_and_makes_the_game_unrated(ann):
    table = ann.table("kuhn")
    with ann.at(table) as line:
        state = line.state()
        hint = line.ask("hint")
        assert hint["action"] in [choice["action"] for choice in state["legal"]]
        assert hint["reason"]
        assert hint["judge"]
        line.ask("act", action=hint["action"])
        last = line.until(lambda m: m["type"] == "state" and (m["mine"] or m["over"]))
        while not last["over"]:
            line.ask("act", action=last["legal"][0]["action"])
            last = line.state()
    assert last["outcome"]["rated"] is False
    noted = NOTE_SENTENCES["hint"].format(ann.get(f"/api/played/{table}").json()["names"][0])
    assert ann.get(f"/api/played/{table}/record.game").text.endswith(f": {noted}\n")


def forced_choice(line):
    """Choose until an action is played automatically; returns the state before it."""
    state = line.state()
    while not state["forced"]:
        line.ask("act", action=state["legal"][0]["action"])
        state = line.state()
    line.until(lambda m: m["type"] == "state" and m["turn"] > state["turn"])
    return state


@pytest.mark.parametrize("said", ["action", "text"])
def test_repeating_an_action_played_automatically_is_answered_as_done(ann, said):
    """A choice sent before the only action was played automatically is not carried out again."""
    with ann.at(ann.table("go-mini", settings=AUTO)) as line:
        before = forced_choice(line)
        choice, turn = before["legal"][0], before["turn"]
        assert line.ask("act", turn=turn, **{said: choice[said]})["type"] == "done"
        other = line.ask("act", turn=turn, action=choice["action"] + 1)
        assert other["type"] == "refused"
        assert f"made for you in the meantime ({choice['label']})" in other["sentence"]
        line.ask("ping")
        assert max(m["turn"] for m in line.seen if m["type"] == "state") == turn + 1


def test_a_table_of_computers_can_be_watched_with_open_hands(ann):
    chairs = [{"kind": "computer", "player": "random"}, {"kind": "computer"}]
    table = ann.table("go-mini", chairs=chairs, settings={"pace": "skip", "open_hands": True})
    with ann.at(table) as line:
        first = line.until(lambda m: m["type"] == "state")
        hands = [zone for zone in first["scene"]["zones"] if zone["form"] == "hand"]
        assert sum(len(zone["spots"]) > 0 for zone in hands) == 2
        assert line.state()["over"]


def test_dialog_and_table_say_which_computer_players_lack_machine_code(ann, monkeypatch):
    monkeypatch.setattr("kibitz.players.built_in.is_ready", lambda game: False)
    monkeypatch.setattr("kibitz.players.compiling.compile_later", lambda name: None)
    table = ann.table("president-mini", chairs=[{"kind": "computer", "player": "best"}, *[{"kind": "computer"}] * 2])
    with ann.at(table) as line:
        told = line.until(lambda m: m["type"] == "events")["events"]
    weaker = "The strongest computer player is a little weaker until Kibitz has prepared it in the background."
    assert [line["text"] for line in told if line.get("note") == "weaker"] == [weaker]
    families = ann.get("/api/games").json()["families"]
    notices = {game["name"]: game["notice"] for family in families for game in family["games"]}
    assert (notices["president-mini"], notices["kuhn"]) == (weaker, "")


def test_spectators_see_no_hands_and_can_only_send_phrases(ann, ben):
    table = ann.table("go-mini")
    with ann.at(table) as one, ben.at(table) as other:
        seen = other.until(lambda m: m["type"] == "state")
        assert not any(zone["spots"] for zone in seen["scene"]["zones"] if zone["key"].startswith("hand"))
        for kind, more in (
            ("act", {"action": 1}),
            ("undo", {}),
            ("hint", {}),
            ("leave", {}),
            ("pace", {"pace": "skip"}),
        ):
            assert other.ask(kind, **more)["type"] == "refused"
        assert other.ask("say", text="I see all")["type"] == "refused"
        assert other.ask("say", phrase=0)["type"] == "done"
        assert one.until(lambda m: m["type"] == "chat")["seat"] == -1


def test_a_private_table_refuses_spectators(ann, ben):
    from starlette.websockets import WebSocketDisconnect

    table = ann.table("kuhn", settings={"watching": "nobody"})
    with ben.at(table) as line, pytest.raises(WebSocketDisconnect) as closed:
        line.read()
    assert closed.value.code == 4003


def test_a_caretaker_plays_for_an_abandoned_seat(ann):
    table = ann.table("go-mini")
    with ann.at(table) as line:
        line.state()
        assert line.ask("leave")["type"] == "done"
        line.until(lambda m: m["type"] == "state" and m["over"])
    notes = ann.get(f"/api/played/{table}").json()["notes"]
    assert [note["note"] for note in notes] == ["caretaker"]
    record = ann.get(f"/api/played/{table}/record.game").text
    assert record.splitlines()[-1].startswith("note: after move ")
    assert "caretaker" in record
    again = ann.post("/api/played", files=[("record", ("x.game", record.encode()))]).json()
    assert ann.get(f"/api/played/{again['games'][0]}/record.game").text == record
    assert again["sentence"] == "1 game can be replayed now."
    seen = ann.get(f"/api/played/{again['games'][0]}").json()
    assert [note["text"] for note in seen["notes"]] == [note["text"] for note in notes]
    assert any(moment["text"].endswith(notes[0]["text"]) for moment in seen["moments"])
    assert "so the seed may have been chosen" in ann.post(f"/api/played/{seen['id']}/verify").text


def test_refusals_use_the_games_own_words(ann):
    with ann.at(ann.table("eights-mini")) as line:
        state = line.state()
        hand = next(zone for zone in state["scene"]["zones"] if zone["form"] == "hand" and zone["seat"] == 0)
        taken = {part["key"] for part in state["parts"]}
        for spot in hand["spots"]:
            answer = line.ask("why_not", key=spot["key"])
            assert (answer["sentence"] is None) == (spot["key"] in taken)


def test_the_log_gives_points_left_in_hand_without_a_minus_sign(ann):
    with ann.at(ann.table("eights-mini")) as line:
        play_on(line)
        line.ask("ping")
        sentences = [event["text"] for m in line.seen if m["type"] == "events" for event in m["events"]]
    assert "The game is over." in sentences
    assert "Result: You " in sentences[-1]
    assert "-" not in sentences[-1]


def test_muted_people_are_not_heard(ann, ben):
    table = ann.table("kuhn")
    with ann.at(table) as one, ben.at(table) as other:
        one.ask("mute", seat=-1)
        other.ask("say", phrase=1)
        one.ask("ping")
        assert not [m for m in one.seen if m["type"] == "chat"]


def test_own_tables_and_games_are_listed(ann):
    going, over = ann.table("go-mini"), finished(ann)
    assert [table["table"] for table in ann.get("/api/tables").json()["tables"]] == [going]
    assert [game["game_id"] for game in ann.get("/api/played").json()["games"]] == [over]


def finished(person, game="kuhn"):
    """The table of a finished game."""
    table = person.table(game)
    with person.at(table) as line:
        play_on(line)
    return table


def test_favourites_come_first_and_are_personal(ann, ben):
    first, second = finished(ann), finished(ann)

    def listed(person):
        return [(game["game_id"], game["favourite"]) for game in person.get("/api/played").json()["games"]]

    path = f"/api/played/{first}/favourite"
    for _ in range(2):
        assert ann.send("PUT", path).status_code == 200
        assert listed(ann)[-2:] == [(first, True), (second, False)]
    assert ann.get(f"/api/played/{first}").json()["favourite"] is True
    assert ben.get(f"/api/played/{first}").json()["favourite"] is False
    assert ben.send("PUT", path).status_code == 200
    assert (first, True) in listed(ben)
    assert ben.send("DELETE", path).status_code == 200
    assert first not in dict(listed(ben))
    assert dict(listed(ann))[first] is True
    assert ann.send("PUT", "/api/played/nothing/favourite").status_code == 404


def test_a_game_continued_from_a_position_is_unrated(ann):
    over = finished(ann, "go-mini")
    path = f"/api/played/{over}/table"
    before = ann.get(f"/api/played/{over}/record.game").text
    made = ann.post(path, {"step": 3, "seat": 1, "level": "Easy"}).json()["table"]
    with ann.at(made) as line:
        assert line.read()["seat"] == 1
        play_on(line)
    record = ann.get(f"/api/played/{made}/record.game").text
    first, then = ([row.split(" ;")[0] for row in text.splitlines() if row[:1].isdigit()] for text in (before, record))
    assert first[:3] == then[:3]
    assert NOTE_SENTENCES["played_on"].format(ann.get(f"/api/played/{made}").json()["names"][1]) in record
    assert ann.get(f"/api/played/{made}").json()["rated"] is False


def test_an_invalid_position_makes_no_table(ann):
    over = finished(ann)
    for step, seat, level, sentence in (
        (9999, 0, "Easy", "The game is over there: choose an earlier step."),
        (1, 7, "Easy", "has the seats 0 to 1 here, not 7."),
        (1, 0, "Hardest", "has the levels Easy"),
    ):
        answer = ann.post(f"/api/played/{over}/table", {"step": step, "seat": seat, "level": level})
        assert answer.status_code in (400, 409)
        assert sentence in answer.json()["error"]["sentence"]
    assert ann.get("/api/tables").json()["tables"] == []
