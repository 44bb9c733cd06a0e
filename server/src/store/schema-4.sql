-- When it was added, in milliseconds since 1970; 0 where that was not noted.
ALTER TABLE messages ADD COLUMN added_ms INTEGER NOT NULL DEFAULT 0;

-- What AgentsKit's protocol keeps of a session beside its messages.
CREATE TABLE agentskit_sessions (
    session INTEGER PRIMARY KEY REFERENCES sessions (number),
    -- The snapshot's own: whoever saves has to name the one that it read.
    cursor INTEGER NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;
