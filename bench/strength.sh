#!/bin/sh
# Matches between neighbours on the scale of UCI_Elo: each should win by as much as it is above the other.
# The ladder in src/engine/search/strength.rs was fitted so; bench/RESULTS.md has the results.
#
#   GAMES=400 STEP=100 VATO=vato bench/strength.sh
#
# plays GAMES games a match between players STEP Elo apart, and at last the player of 2000 against full
# strength with 1,000 nodes a move, which is what 2000 means. Seeds are set, so the results are the same on
# every machine.
set -eu
games=${GAMES:-400}
step=${STEP:-100}
vato=${VATO:-vato}
records=$(mktemp -d)
trap 'rm -rf "$records"' EXIT

limited() {
    echo "name=$1,cmd=$vato,option.UCI_LimitStrength=true,option.UCI_Elo=$1,option.Skill Seed=1"
}

# Plays two engines and prints a row of the table. A match that fails ends the script.
play() {
    "$vato" match --engine "$2" --engine "$3" --games "$games" --openings balanced \
        --out "$records/match" >"$records/summary"
    # Elo is "VALUE ± BOUND (95 %: ...)", or "VALUE, bounds not known yet", or "not known: ..." where one
    # side has won every game.
    awk -v players="$1" '
        $1 == "score" { score = $0; sub(/.*: /, "", score) }
        $1 == "Elo" { elo = $0; sub(/^Elo +/, "", elo); sub(/ \(.*/, "", elo) }
        $1 == "draws" { draws = $2 " %" }
        $1 == "faults" && $2 != "none" { print players ": " $0 > "/dev/stderr" }
        END { printf "| %s | %s | %s | %s |\n", players, score, draws, elo }' "$records/summary"
    rm -f "$records"/match.*
}

echo "| players | score | games drawn | Elo |"
echo "|---|---|---|---|"
elo=500
while [ $((elo + step)) -le 2200 ]; do
    above=$((elo + step))
    play "$above against $elo" "$(limited $above)" "$(limited $elo)"
    elo=$above
done
play "2000 against 1,000 nodes" "$(limited 2000)" "name=full,cmd=$vato,nodes=1000"
