-- Forms that anybody with the address may fill in. A project without a row has none.
CREATE TABLE feedback_forms (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  -- The last part of the address; another one each time that the form is switched on.
  token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);
