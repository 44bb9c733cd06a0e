//! Light, dark, or as the system has it.

/// The colours of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The theme that was stored; anything unknown is the system's.
    #[must_use]
    pub fn from_stored(text: Option<&str>) -> Self {
        match text {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::System,
        }
    }

    /// The name under which it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next one in the round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Theme;

    #[test]
    fn what_is_stored_comes_back() {
        for theme in [Theme::System, Theme::Light, Theme::Dark] {
            assert_eq!(Theme::from_stored(Some(theme.as_str())), theme);
        }
        assert_eq!(Theme::from_stored(None), Theme::System);
        assert_eq!(Theme::from_stored(Some("blue")), Theme::System);
    }

    #[test]
    fn the_round_has_three_stops() {
        let start = Theme::System;
        assert_ne!(start.next(), start.next().next());
        assert_eq!(start.next().next().next(), start);
    }
}
