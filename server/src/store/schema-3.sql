-- For those who read a session and ask which of its turns it is at.
CREATE INDEX turns_of_session ON turns (session);
