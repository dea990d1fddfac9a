//! The folders of table files.

use std::env;
use std::path::PathBuf;

use super::rules::TableRules;
use crate::rules::Rules;

/// The folders whose tables are used besides the built-in ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFolders {
    /// The user's folder for the rules, if it exists.
    Auto,
    /// These, the preferred ones first; may be empty.
    These(Vec<PathBuf>),
}

impl TableFolders {
    /// The word for [`TableFolders::Auto`].
    pub const AUTO: &str = "auto";

    /// The name of the file that lists the slices of a folder.
    pub const MANIFEST: &str = "manifest.json";

    /// The word for no folder.
    pub const NONE: &str = "none";

    /// The folders of a list. `auto` as the only element means the user's folder, `none` or an empty list no folder.
    pub fn of(list: Vec<PathBuf>) -> TableFolders {
        match &list[..] {
            [word] if word.as_os_str() == TableFolders::AUTO => TableFolders::Auto,
            [word] if word.as_os_str() == TableFolders::NONE => TableFolders::These(Vec::new()),
            _ => TableFolders::These(list),
        }
    }

    /// Whether folders are named.
    pub fn are_named(&self) -> bool {
        matches!(self, TableFolders::These(folders) if !folders.is_empty())
    }

    /// The folders to open for games under `rules`; may be empty.
    pub fn paths(&self, rules: &Rules) -> Vec<PathBuf> {
        match self {
            TableFolders::These(folders) => folders.clone(),
            TableFolders::Auto => {
                let folder = TableFolders::of_the_user(rules);
                folder.into_iter().filter(|path| path.is_dir()).collect()
            }
        }
    }

    /// The user's folder for the tables of games under `rules`, whether it exists or not: `vato/tablebases/NAME`, where
    /// NAME is a name for the rules, in `$XDG_DATA_HOME` or `~/.local/share`, on Windows in `%APPDATA%`, on macOS in
    /// `~/Library/Application Support`. `None` if the rules have no tables, or the user has no home folder.
    pub fn of_the_user(rules: &Rules) -> Option<PathBuf> {
        let tables = TableRules::of(rules).ok()?;
        let name = match tables.preset() {
            Some(preset) => preset.name().to_owned(),
            None => tables.rules().to_string().replace(' ', ","),
        };
        let set = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let below_home = |folder| env::home_dir().map(|home| home.join(folder));
        let data = match env::consts::OS {
            "windows" => set("APPDATA"),
            "macos" => below_home("Library/Application Support"),
            _ => set("XDG_DATA_HOME").or_else(|| below_home(".local/share")),
        };
        Some(data?.join("vato").join("tablebases").join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::TableFolders;
    use crate::rules::parse_rules;

    #[test]
    fn rules_with_the_same_tables_share_a_folder() {
        let name = |rules: &str| {
            let rules = parse_rules(rules).expect("right");
            let folder = TableFolders::of_the_user(&rules)?;
            let name = folder.file_name().expect("a name");
            Some(name.to_string_lossy().into_owned())
        };
        // Without a home there is nothing to compare.
        if name("tsivy").is_some() {
            for (rules, folder) in [
                ("tsivy", "tsivy"),
                ("riatra", "tsivy"),
                ("repeat=2 limit=0", "tsivy"),
                ("dimy", "dimy"),
                ("board=5x3 chain=full", "board=5x3,chain=full"),
                ("capture=opening", "free-capture"),
            ] {
                assert_eq!(name(rules).as_deref(), Some(folder), "{rules}");
            }
        }
        for rules in ["vela", "tie=count", "repeat=1"] {
            assert_eq!(name(rules), None, "{rules}");
        }
    }

    #[test]
    fn words_and_paths() {
        let folders = |list: &[&str]| TableFolders::of(list.iter().map(Into::into).collect());
        assert_eq!(folders(&["auto"]), TableFolders::Auto);
        for none in [&["none"][..], &[]] {
            assert_eq!(folders(none), TableFolders::These(Vec::new()));
        }
        for named in [&["auto", "other"][..], &["./none"], &["Auto"]] {
            assert!(folders(named).are_named(), "{named:?}");
        }
    }
}
