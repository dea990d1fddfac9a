//! Which options tell an engine the rules.

use super::start::StartError;
use vato_engine::protocol::{OptionDeclaration, OptionKind, SetOption};
use vato_engine::rules::{Preset, Rules};

/// The options that make an engine play `rules`, in the order in which they are to be set.
///
/// `UCI_Variant` with the preset's name if the engine has that, else `custom` with the rules string
/// in `Rules`, else `Rules` alone. An engine that declares neither plays the standard game only.
pub(super) fn options_for(
    rules: &Rules,
    declared: &[OptionDeclaration],
) -> Result<Vec<SetOption>, StartError> {
    let variant = declaration(declared, "UCI_Variant");
    let string = declaration(declared, "Rules");
    let string = string.filter(|option| matches!(option.kind, OptionKind::Text { .. }));
    let variant_with = |preset: Preset| variant.filter(|option| offers(option, preset));

    if let Some(preset) = Preset::of(rules)
        && let Some(variant) = variant_with(preset)
    {
        return Ok(vec![set(variant, preset.name())]);
    }
    let full = format!("{rules:#}");
    match (string, variant_with(Preset::Custom)) {
        (Some(string), Some(variant)) => Ok(vec![
            set(string, &full),
            set(variant, Preset::Custom.name()),
        ]),
        (Some(string), None) => Ok(vec![set(string, &full)]),
        (None, _) if variant.is_none() && *rules == Rules::STANDARD => Ok(Vec::new()),
        (None, _) => {
            let name = Preset::name_of(rules);
            let lack = match variant {
                Some(_) => format!(
                    "its option UCI_Variant does not offer '{name}', and it has no option Rules"
                ),
                None => format!(
                    "it declares neither UCI_Variant nor Rules, so it plays tsivy only, not '{name}'"
                ),
            };
            let what = format!(
                "it cannot play these rules: {lack}; if options of its own set them, say rules=options (not in the format vela)"
            );
            Err(StartError::Unfit(what))
        }
    }
}

/// The declaration of an option; protocols know no case in names.
pub(super) fn declaration<'a>(
    declared: &'a [OptionDeclaration],
    name: &str,
) -> Option<&'a OptionDeclaration> {
    let mut all = declared.iter();
    all.find(|option| option.name.eq_ignore_ascii_case(name))
}

pub(super) fn set(option: &OptionDeclaration, value: &str) -> SetOption {
    SetOption {
        name: option.name.clone(),
        value: Some(value.to_owned()),
    }
}

fn offers(option: &OptionDeclaration, preset: Preset) -> bool {
    match &option.kind {
        OptionKind::Combo { choices, .. } => choices
            .iter()
            .any(|choice| choice.eq_ignore_ascii_case(preset.name())),
        // Any text is accepted; the presets' names are tried.
        OptionKind::Text { .. } => preset != Preset::Custom,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::parse_rules;

    fn options(rules: &str, declared: &[&str]) -> Result<Vec<String>, String> {
        let rules = parse_rules(rules).expect(rules);
        let declared: Vec<OptionDeclaration> = declared
            .iter()
            .map(|text| crate::answers::read_option(text).expect(text))
            .collect();
        let options = options_for(&rules, &declared).map_err(|error| error.to_string())?;
        let text = |option: SetOption| {
            let value = option.value.expect("all have one");
            format!("{}={value}", option.name)
        };
        Ok(options.into_iter().map(text).collect())
    }

    const VARIANT: &str = "name UCI_Variant type combo default tsivy var tsivy var dimy var custom";
    const RULES: &str = "name Rules type string default <empty>";

    #[test]
    fn presets_by_name_and_the_rest_by_string() {
        let both = [VARIANT, RULES];
        assert_eq!(
            options("dimy", &both),
            Ok(vec!["UCI_Variant=dimy".to_owned()])
        );
        let custom = options("board=5x5 limit=7", &both).expect("can be told");
        assert!(
            custom[0].starts_with("Rules=board=5x5 capture=forced"),
            "{custom:?}"
        );
        assert!(custom[0].contains("limit=7"));
        assert_eq!(custom[1], "UCI_Variant=custom");
        // A preset that the engine does not offer is sent as a string.
        assert_eq!(options("telo", &both).expect("can be told").len(), 2);
        assert_eq!(options("telo", &[RULES]).expect("can be told").len(), 1);
    }

    #[test]
    fn an_engine_that_cannot_be_told_plays_the_standard_game_only() {
        assert_eq!(options("tsivy", &[]), Ok(Vec::new()));
        assert!(options("dimy", &[]).expect_err("no").contains("tsivy only"));
        let chess = "name UCI_Variant type combo default chess var chess var crazyhouse";
        assert!(options("tsivy", &[chess]).is_err());
        let error = options("telo", &[VARIANT]).expect_err("no");
        assert!(error.contains("does not offer 'telo'"), "{error}");
    }
}
