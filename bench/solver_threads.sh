#!/bin/sh
# The solver with one thread and with two: nodes and seconds to the answer of each question in a file, and the
# ratio of the seconds; bench/RESULTS.md has the results. A line of the file is the side that wants to win and a
# FEN. With tables of seven stones (`vato tablebase build --stones 7`) most take some seconds.
#
#   VATO=vato TABLES=FOLDER bench/solver_threads.sh [QUESTIONS]
set -eu
questions=${1:-$(dirname "$0")/solver.questions}
vato=${VATO:-vato}

# Nodes and seconds, or an error that ends the script.
ask() {
    "$vato" solve --fen "$2" --attacker "$1" --threads "$3" --hash 1024 \
        --tablebases "${TABLES:-auto}" --json |
        tail -n 1 | sed 's/.*"nodes":\([0-9]*\),"seconds":\([0-9.]*\).*/\1 \2/'
}

while read -r attacker fen; do
    one=$(ask "$attacker" "$fen" 1)
    two=$(ask "$attacker" "$fen" 2)
    echo "$one $two"
done <"$questions" |
    awk '{ print $0, $2 / $4; fflush() }
        # The ratios, sorted as they come.
        { for (place = NR; place > 1 && ratio[place - 1] > $2 / $4; place--) ratio[place] = ratio[place - 1] }
        { ratio[place] = $2 / $4 }
        END { print "median:", (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2 }'
