ALTER TABLE turns ADD COLUMN is_cancelled INTEGER NOT NULL DEFAULT 0;

-- When it was over, in seconds since 1970.
ALTER TABLE turns ADD COLUMN ended_at INTEGER;

CREATE INDEX turns_ended ON turns (ended_at) WHERE is_over = 1;

-- The names that clients give their messages, so that one that is sent again starts no second turn.
CREATE TABLE keys (
    tenant TEXT NOT NULL,
    environment TEXT NOT NULL,
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    -- What was asked for under this name.
    request TEXT NOT NULL,
    turn INTEGER NOT NULL REFERENCES turns (number),
    PRIMARY KEY (tenant, environment, agent, key)
) STRICT, WITHOUT ROWID;
