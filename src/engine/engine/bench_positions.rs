//! Benchmark positions: the start, then positions with fewer and fewer stones from games of self-play;
//! then other boards and rules.

/// Rules string (empty for the standard rules) and FEN of each position, in the order of the benchmark.
pub const POSITIONS: &[(&str, &str)] = &[
    (
        "",
        "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    ),
    ("", "bb2bbbbb/bbbwbbbbb/bw1b2wbw/wwwwwbwww/wwwww1www w 0 3"),
    ("", "b1bbbbbbb/b1bbbbbbb/4w1wbw/wbwwwwwww/w1wwwwwww w 0 3"),
    ("", "bbb1bbbbb/bbbbb1b1b/b3wbwb1/www1wwwww/www1wwwww w 0 3"),
    ("", "1b1bbbbbb/1bbbbbbbb/1wb2bwbw/2www1www/wwwwww1ww w 0 3"),
    ("", "1b1bbbbbb/3bb1bbb/wbwbwbwbw/1w2w1www/wwwww1www b 0 4"),
    ("", "bbw6/bbb1bbbbb/bw4wbw/wwwwwbwww/wwwww1www b 0 3"),
    ("", "1b2b1bbb/b1b1b1bbb/bw3wwbw/www1w1www/wwww1wwww b 0 3"),
    ("", "bbbb1b1bb/bbb1bw1bb/bwb4bw/wwwbw1b2/ww3w1ww w 0 4"),
    ("", "bbbb1b1bb/bbbb3bb/bwbww3w/www1wb2w/wwww5 w 0 4"),
    ("", "1b1bbbbb1/b2bb3b/1bwbwb1bw/ww2w2ww/wwww3ww w 0 5"),
    ("", "bbbb3bb/bbb1b1bbb/bwb2b2w/www5w/www1w2w1 b 1 4"),
    ("", "b1bb1bbbb/b1b4bb/bwb2bb1w/w1w3b1w/www1ww3 w 0 5"),
    ("", "1b1b3bb/1b1bb1bbb/1w3w1bw/4wbwww/1w1www1ww b 0 4"),
    ("", "1bb2b1bb/b1b1b2bb/b1b4bw/www1w2ww/ww5ww w 0 4"),
    ("", "bb1b1b3/bb1bbb3/bw1w3w1/ww2wb3/wwwww4 b 0 5"),
    ("", "4bbbbb/4bbbbb/w3w1w1w/4w2b1/w3www1w b 0 4"),
    ("", "1b1bbbbb1/1w3bb2/5bwbw/6ww1/ww3w1ww b 0 5"),
    ("", "1bbbb2b1/b1b5b/bw6w/www5w/ww1w3w1 w 0 5"),
    ("", "1b3b1bb/b3bb1bb/b8/ww2w3w/www4w1 w 0 5"),
    ("", "b2w1b1bb/1w5bb/b4b1bw/1w1w4w/1w5w1 w 0 7"),
    ("", "3b1b1bb/6bbb/2w5w/w2wb2bw/1w1w5 w 0 6"),
    ("", "1b1b3bb/4w4/bw7/3b1w2w/1ww2www1 b 0 6"),
    ("", "bb1b1bb2/1b2b2b1/4bb2w/1w2w4/4w4 b 1 8"),
    ("", "5w3/1w6b/w6b1/1w2b2ww/ww5ww b 0 7"),
    ("", "1bbb3b1/b4b3/9/2w6/ww2ww1w1 b 1 7"),
    ("", "3w1b1b1/1w4bb1/8w/9/ww3w1w1 b 0 5"),
    ("", "1b6b/2b1b3b/7b1/1w1w1w3/6w2 b 5 8"),
    ("", "9/1w2b1bb1/4b2w1/1w6w/6w2 b 11 13"),
    ("", "7b1/1b4b2/4w4/4w2b1/1ww6 w 7 12"),
    ("", "6b1b/9/3w5/1w5b1/5ww2 b 2 11"),
    ("", "2b6/6w2/3b5/1ww2w3/9 b 0 30"),
    ("", "6w2/1b1b5/6w2/9/2b6 b 2 131"),
    ("board=5x5", "bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1"),
    ("board=3x3", "bbb/b1w/www w 0 1"),
    ("board=7x5", "bbbbbbb/bbbbbbb/bwb1wbw/wwwwwww/wwwwwww w 0 1"),
    (
        "board=5x9",
        "bbbbb/bbbbb/bbbbb/bbbbb/bw1bw/wwwww/wwwww/wwwww/wwwww w 0 1",
    ),
    (
        "chain=full blocked=draw",
        "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    ),
    (
        "chain=single tie=count",
        "1b1b1bbbb/b1b4bb/bwb2bb1w/w1w3b1w/www1ww3 w 0 5",
    ),
    (
        "capture=opening",
        "bbbb3bb/bbb1b1bbb/bwb2b2w/www5w/wwww3w1 w 0 4",
    ),
    (
        "capture=opening vela=black",
        "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    ),
    (
        "opening=both",
        "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    ),
    (
        "direction=any",
        "5b1bb/6bbb/4w1wbw/w2w1bwww/1w1w1w1ww b 0 4",
    ),
];
