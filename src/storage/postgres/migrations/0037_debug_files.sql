-- Symbol files of native code stand beside mappings of Java: builds name both by a debug id, of native code with an age.
ALTER TABLE deobfuscation_files
  ADD COLUMN kind text NOT NULL DEFAULT 'proguard' CHECK (kind IN ('proguard', 'breakpad')),
  ADD COLUMN age bigint NOT NULL DEFAULT 0,
  ADD COLUMN arch text;
