-- What events are searched by, beside the columns that they had. The defaults read it from the payloads of events that
-- were stored before; new events bring it along.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS error_types Array(String)
    DEFAULT arrayMap(e -> JSONExtractString(e, 'type'), JSONExtractArrayRaw(payload, 'exception', 'values'))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS error_values Array(String)
    DEFAULT arrayMap(e -> JSONExtractString(e, 'value'), JSONExtractArrayRaw(payload, 'exception', 'values'))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS error_mechanisms Array(LowCardinality(String))
    DEFAULT arrayMap(e -> JSONExtractString(e, 'mechanism', 'type'), JSONExtractArrayRaw(payload, 'exception', 'values')),
  -- Whether an exception says that nobody caught it.
  ADD COLUMN IF NOT EXISTS is_unhandled Bool
    DEFAULT arrayExists(e -> JSONExtractRaw(e, 'mechanism', 'handled') = 'false',
      JSONExtractArrayRaw(payload, 'exception', 'values')),
  ADD COLUMN IF NOT EXISTS is_in_app Bool
    DEFAULT arrayExists(f -> JSONExtractBool(f, 'in_app'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))),
  -- Each value once.
  ADD COLUMN IF NOT EXISTS stack_filenames Array(String)
    DEFAULT arrayDistinct(arrayMap(f -> JSONExtractString(f, 'filename'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_abs_paths Array(String)
    DEFAULT arrayDistinct(arrayMap(f -> JSONExtractString(f, 'abs_path'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_functions Array(String)
    DEFAULT arrayDistinct(arrayMap(f -> JSONExtractString(f, 'function'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_modules Array(String)
    DEFAULT arrayDistinct(arrayMap(f -> JSONExtractString(f, 'module'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_packages Array(String)
    DEFAULT arrayDistinct(arrayMap(f -> JSONExtractString(f, 'package'),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_linenos Array(UInt32)
    DEFAULT arrayDistinct(arrayMap(f -> toUInt32(JSONExtractUInt(f, 'lineno')),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS stack_colnos Array(UInt32)
    DEFAULT arrayDistinct(arrayMap(f -> toUInt32(JSONExtractUInt(f, 'colno')),
      arrayFlatten(arrayMap(e -> JSONExtractArrayRaw(e, 'stacktrace', 'frames'),
        JSONExtractArrayRaw(payload, 'exception', 'values')))))
    CODEC(ZSTD(1)),
  -- Scalars of the request, the place and the contexts: `http.method`, `geo.city`, `device.arch`.
  ADD COLUMN IF NOT EXISTS attributes Map(LowCardinality(String), String)
    DEFAULT CAST(arrayConcat(
      arrayMap(p -> (concat('device.', p.1), trim(BOTH '"' FROM p.2)), JSONExtractKeysAndValuesRaw(payload, 'contexts', 'device')),
      arrayMap(p -> (concat('os.', p.1), trim(BOTH '"' FROM p.2)), JSONExtractKeysAndValuesRaw(payload, 'contexts', 'os')),
      arrayMap(p -> (concat('app.', p.1), trim(BOTH '"' FROM p.2)), JSONExtractKeysAndValuesRaw(payload, 'contexts', 'app')),
      arrayMap(p -> (concat('browser.', p.1), trim(BOTH '"' FROM p.2)), JSONExtractKeysAndValuesRaw(payload, 'contexts', 'browser')),
      arrayMap(p -> (concat('geo.', p.1), trim(BOTH '"' FROM p.2)), JSONExtractKeysAndValuesRaw(payload, 'user', 'geo')),
      arrayFilter(p -> p.2 != '', [
        ('http.method', JSONExtractString(payload, 'request', 'method')),
        ('http.url', JSONExtractString(payload, 'request', 'url'))])
    ), 'Map(LowCardinality(String), String)')
    CODEC(ZSTD(1)),
  -- What free text is looked for in.
  ADD COLUMN IF NOT EXISTS search_text String
    MATERIALIZED lowerUTF8(concat(title, '\n', message, '\n', culprit))
    CODEC(ZSTD(1)),
  -- Events of one issue lie together and have nearly the same text, so that most marks hold few words.
  ADD INDEX IF NOT EXISTS search_text_ngrams search_text TYPE ngrambf_v1(3, 4096, 2, 0) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS tag_values_bloom mapValues(tags) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS attribute_values_bloom mapValues(attributes) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS user_id_bloom user_id TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS user_email_bloom user_email TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1;
