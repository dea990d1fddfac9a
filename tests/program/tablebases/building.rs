//! `vato tablebase build`: what is there is kept, what is missing or damaged is solved.

use std::fs;

use super::set::{Set, THREE_STONES};
use crate::support::command_line::{run, stderr, stdout};

/// The names of the files that a build says it has written.
fn written(said: &str) -> Vec<String> {
    let names = said.lines().filter_map(|line| line.split_once(": "));
    names
        .map(|(name, _)| format!("{name}.vtb"))
        .filter(|name| name.len() == "1v1.vtb".len())
        .collect()
}

#[test]
fn a_build_says_what_it_does() {
    let set = Set::empty("tsivy");
    let said = set.build_up_to(3);
    assert!(said.starts_with(set.text()), "{said}");
    for words in [
        "29,040 positions to solve",
        " of memory",
        " of disk",
        "2 threads",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(written(&said), THREE_STONES);
    assert!(
        said.contains("1v2: 2,822 won, 12,766 drawn, 26,982 lost, longest 29 plies"),
        "{said}"
    );
    assert!(
        said.ends_with('\n') && said.contains("87,120 positions in "),
        "{said}"
    );
}

#[test]
fn a_finished_build_has_nothing_to_do() {
    let set = Set::build("tsivy", 3);
    let before = set.files();
    let said = set.build_up_to(3);
    assert!(said.contains("already complete"), "{said}");
    assert_eq!(written(&said), [""; 0]);
    assert!(set.files() == before);
}

/// Larger slices of an earlier build stay, in the manifest as well.
#[test]
fn fewer_stones_leave_the_rest_alone() {
    let set = Set::build("dimy", 4);
    let before = set.files();
    for stones in [3, 2, 4] {
        let said = set.build_up_to(stones);
        assert!(said.contains("already complete"), "{said}");
        assert!(set.files() == before, "{stones} stones");
    }
    set.remove("1v2.vtb");
    assert_eq!(written(&set.build_up_to(3)), ["1v2.vtb", "2v1.vtb"]);
    set.expect_right();
}

/// Twins are solved together, so both are written again; nothing else is.
#[test]
fn a_missing_file_is_made_again() {
    let set = Set::build("tsivy", 3);
    let before = set.files();
    for (missing, solved) in [
        ("1v2.vtb", &["1v2.vtb", "2v1.vtb"][..]),
        ("2v1.vtb", &["1v2.vtb", "2v1.vtb"]),
        ("1v1.vtb", &["1v1.vtb"]),
    ] {
        set.remove(missing);
        assert_eq!(written(&set.build_up_to(3)), solved);
        assert!(set.files() == before, "{missing}");
    }
    set.remove("manifest.json");
    assert_eq!(written(&set.build_up_to(3)), [""; 0]);
    assert!(set.files() == before);
}

/// A build that was killed leaves a file with a temporary name.
#[test]
fn leftovers_do_no_harm() {
    let set = Set::build("tsivy", 3);
    let before = set.files();
    for name in ["1v1.part", "1v2.part", "manifest.part"] {
        set.write(name, b"half of a file");
    }
    set.remove("1v2.vtb");
    set.build_up_to(3);
    for (name, bytes) in &before {
        assert!(set.read(name) == *bytes, "{name}");
    }
    set.expect_right();
}

#[test]
fn a_damaged_file_is_named_and_made_again() {
    let set = Set::build("tsivy", 3);
    let before = set.files();
    let whole = set.read("2v1.vtb");
    let mut in_preamble = whole.clone();
    in_preamble[10] ^= 1;
    let mut in_header = whole.clone();
    let last = in_header.len() - 5;
    in_header[last] ^= 4;
    let longer = [&whole[..], b"x"].concat();
    for damaged in [
        &in_preamble,
        &in_header,
        &longer,
        &whole[..100],
        &whole[..20],
        &[],
    ] {
        set.write("2v1.vtb", damaged);
        let said = set.build_up_to(3);
        let first = said.lines().next().expect("a line");
        assert!(
            first.starts_with(set.file("2v1.vtb").to_str().expect("UTF-8")),
            "{said}"
        );
        assert!(first.ends_with("; solved again"), "{said}");
        assert_eq!(written(&said), ["1v2.vtb", "2v1.vtb"]);
        assert!(set.files() == before);
    }
    // A good file under a wrong name.
    set.write("2v1.vtb", &set.read("1v2.vtb"));
    assert_eq!(written(&set.build_up_to(3)), ["1v2.vtb", "2v1.vtb"]);
    assert!(set.files() == before);
    // A block, which nothing but its own checksum tells.
    let mut in_block = whole.clone();
    in_block[60] ^= 1;
    set.write("2v1.vtb", &in_block);
    let said = set.build_up_to(3);
    assert!(said.contains("block 0 of outcomes"), "{said}");
    assert_eq!(written(&said), ["1v2.vtb", "2v1.vtb"]);
    // A manifest that does not read, or does not fit, is made again from the files.
    let manifest = set.read("manifest.json");
    for manifest in [&manifest[..200], b""] {
        set.write("manifest.json", manifest);
        set.build_up_to(3);
        assert!(set.files() == before);
    }
    let text = String::from_utf8(set.read("manifest.json")).expect("UTF-8");
    let wrong = text.replacen("592", "18446744073709551615", 1);
    assert_ne!(text, wrong);
    set.write("manifest.json", wrong.as_bytes());
    set.build_up_to(3);
    assert!(set.files() == before);
}

/// What is neither a table nor a manifest is somebody's, whatever its name.
#[test]
fn files_of_another_kind_stay() {
    for name in ["manifest.json", "1v1.vtb", "2v1.vtb"] {
        for text in [
            "[]",
            "{",
            "{\"name\": \"page\"}",
            "VATONET",
            "a text of mine",
        ] {
            let set = Set::build("tsivy", 3);
            set.remove("1v2.vtb");
            set.write(name, text.as_bytes());
            let before = set.files();
            let message = stderr(&set.build_line(3), 1);
            let path = set.file(name);
            let what = "a file of another kind, which is not replaced";
            let wanted = format!("cannot write {}: {what}", path.display());
            assert!(message.contains(&wanted), "{message}");
            assert!(set.files() == before, "{name}");
        }
    }
}

/// Tables of other rules may be somebody's.
#[test]
fn a_folder_of_other_rules_is_left_alone() {
    let set = Set::build("tsivy", 3);
    set.write("2v1.vtb", b"damaged as well");
    let before = set.files();
    for rules in ["full-chain", "dimy", "capture=free"] {
        let line = set.build_line(4).replace("'tsivy'", rules);
        let run = run(&line);
        assert_eq!(run.code, Some(1));
        let message = run.err;
        assert!(
            message.starts_with("error: ") && message.lines().count() == 1,
            "{message}"
        );
        let wanted = vato_engine::rules::parse_rules(rules).expect("rules");
        let wanted = vato_engine::tablebase::TableRules::of(&wanted).expect("rules with tables");
        assert!(message.contains(&wanted.to_string()), "{message}");
        assert!(message.contains(&format!("{:#}", set.rules())), "{message}");
        assert!(
            message.contains("1v1.vtb: made for other rules"),
            "{message}"
        );
        assert!(set.files() == before, "{rules}");
    }
}

/// Slices solved in folders of their own, as by several machines, make the set of one machine.
#[test]
fn slices_of_several_folders_make_one_set() {
    let rules = "board=5x3";
    let whole = Set::build(rules, 5);
    let all = Set::empty(rules);
    for (slice, needed) in [
        ("3v2", "1v1 1v2 1v3 2v1 2v2 2v3 3v1 3v2"),
        ("1v4", "1v1 1v2 1v3 1v4 2v1 3v1 4v1"),
    ] {
        let part = Set::empty(rules);
        let out = part.text();
        stdout(&format!(
            "tablebase build --rules {rules} --slice {slice} --out {out}"
        ));
        let mut files = part.files();
        files.remove("manifest.json").expect("a manifest");
        let slices: Vec<&str> = files
            .keys()
            .filter_map(|name| name.strip_suffix(".vtb"))
            .collect();
        assert_eq!(slices.join(" "), needed);
        for (name, bytes) in files {
            all.write(&name, &bytes);
        }
    }
    assert!(all.build_up_to(5).contains("already complete"));
    assert!(all.files() == whole.files());
}

#[test]
fn too_little_memory_is_said_before_anything_is_done() {
    let set = Set::empty("tsivy");
    let run = run(&format!("{} --memory 1M", set.build_line(5)));
    assert_eq!(run.code, Some(1));
    let (message, said) = (run.err, run.out);
    // The amount that the plan speaks of.
    let words: Vec<&str> = said.split([' ', ',']).collect();
    let unit = words
        .windows(3)
        .find(|words| words[1] == "MiB" && words[2] == "of");
    let needed = format!("{} MiB", unit.expect("an amount")[0]);
    for words in [needed.as_str(), "1.00 MiB", "--memory", "fewer stones"] {
        assert!(message.contains(words), "{words}: {message}");
    }
    let message = stderr(&set.build_line(12), 1);
    assert!(message.contains("the slice 1v11 is too large"), "{message}");
    assert!(set.files().is_empty());
    // As much as is needed, and a little more.
    stdout(&format!("{} --memory 129M", set.build_line(3)));
    set.expect_right();
}

#[test]
fn wrong_usage_is_told_apart() {
    let set = Set::empty("tsivy");
    for stones in ["0", "1", "17", "-3", "x", ""] {
        let message = stderr(&set.build_line(stones), 2);
        assert!(message.contains("--stones"), "{message}");
    }
    for rest in [
        "",
        "--stones 3 --threads 0",
        "--stones 3 --memory much",
        "--stones 3 --memory -1",
        "--stones 3 --rules chess",
        "--stones 3 --slice 1v2",
        "--slice 9v9",
    ] {
        stderr(&format!("tablebase build --out {} {rest}", set.text()), 2);
    }
    assert!(set.files().is_empty());
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let set = Set::empty("tsivy");
    set.write("file", b"somebody's");
    for out in ["file", "file/below"] {
        let out = set.file(out);
        let out = out.to_str().expect("UTF-8");
        let message = stderr(&format!("tablebase build --stones 3 --out {out}"), 1);
        let wanted = format!("error: cannot write {out}: ");
        assert!(message.starts_with(&wanted), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert_eq!(set.read("file"), b"somebody's");
    // A folder within a folder that is not there either is made.
    let out = set.file("new/tables");
    let out = out.to_str().expect("UTF-8");
    stdout(&format!("tablebase build --stones 2 --out {out}"));
    assert!(fs::metadata(set.file("new/tables/1v1.vtb")).is_ok());
}

/// What is larger than what is wanted belongs to the folder too.
#[test]
fn larger_slices_stay_in_the_manifest() {
    let set = Set::build("tsivy", 4);
    let before = set.files();
    set.remove("manifest.json");
    set.remove("1v1.vtb");
    set.build_up_to(2);
    assert!(set.files() == before);
}

#[test]
fn larger_slices_of_other_rules_are_left_alone_as_well() {
    let set = Set::build("chain=full", 3);
    set.remove("1v1.vtb");
    set.remove("manifest.json");
    let before = set.files();
    let out = set.text();
    let message = stderr(&format!("tablebase build --stones 2 --out {out}"), 1);
    assert!(message.contains("made for other rules"), "{message}");
    assert!(set.files() == before);
}
