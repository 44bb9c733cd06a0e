//! An agent's name as people read it.

/// `customer-service` → `Customer service`.
#[must_use]
pub fn title(name: &str) -> String {
    let spaced = name.replace(['-', '_'], " ");
    let spaced = spaced.trim();
    let mut letters = spaced.chars();
    letters
        .next()
        .map_or_else(|| "Agent".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn names_become_titles() {
        assert_eq!(title("customer-service"), "Customer service");
        assert_eq!(title("ärzte_team"), "Ärzte team");
        assert_eq!(title("-"), "Agent");
    }
}
