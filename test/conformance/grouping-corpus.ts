import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  compileFingerprintRules,
  compileStructuredFingerprintRules,
} from '#pipeline/grouping/fingerprint/compile-fingerprint-rules.ts';
import type { StructuredFingerprintRule } from '#pipeline/grouping/fingerprint/fingerprint-types.ts';
import { type GroupingRules, LATEST_GROUPING_CONFIG } from '#pipeline/grouping/grouping-types.ts';
import { compileStackTraceRules } from '#pipeline/grouping/stack-trace-rules/compile-stack-trace-rules.ts';
import { normalizeEvent } from '#pipeline/normalize/normalize-event.ts';
import type { NormalizedEvent } from '#protocol/event.ts';

export type ExpectedVariant = { hash: string | null; contributing_values?: readonly unknown[] };

/** An event with the rules of its project, and what it should be grouped by. */
export type GroupingCase = {
  /** Without extension. */
  name: string;
  event: NormalizedEvent;
  rules: GroupingRules;
  /** By name of variant; null is a hash that does not contribute. */
  expected: Readonly<Record<string, ExpectedVariant>>;
};

export type ParameterizationCase = { name: string; input: string; expected: string };

/** The cases of one folder; none when the corpus has no such folder. */
export function readGroupingCases(corpus: string, folder: string): readonly GroupingCase[] {
  const directory = path.join(corpus, folder);
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => readCase(path.join(directory, file)));
}

export function readParameterizationCases(corpus: string): readonly ParameterizationCase[] {
  const file = path.join(corpus, 'parameterization.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ParameterizationCase[]) : [];
}

/** Two keys of the input are settings of the case, and no data of the event. */
type Input = Record<string, unknown> & {
  _grouping?: { enhancements?: string };
  _fingerprinting_rules?: readonly StructuredFingerprintRule[];
};

type CaseFile = { input: Input; expected: { variants?: Record<string, ExpectedVariant> } };

function readCase(file: string): GroupingCase {
  const bytes = readFileSync(file);
  const { input, expected } = JSON.parse(bytes.toString('utf8')) as CaseFile;
  const { _grouping: settings, _fingerprinting_rules: fingerprint, ...sent } = input;
  return {
    name: path.basename(file, '.json'),
    event: normalizeEvent(sent, { ...ORIGIN, bytes }),
    rules: {
      config: LATEST_GROUPING_CONFIG,
      fingerprint: (fingerprint
        ? compileStructuredFingerprintRules(fingerprint)
        : compileFingerprintRules('')
      ).rules,
      stackTrace: compileStackTraceRules(settings?.enhancements ?? '').rules,
    },
    expected: expected.variants ?? (expected as Record<string, ExpectedVariant>),
  };
}

const ORIGIN = {
  envelopeEventId: null,
  sentAtMs: null,
  receivedAtMs: Date.UTC(2026, 0, 20),
  clientIp: null,
  userAgent: null,
  unsafeText: true,
};
