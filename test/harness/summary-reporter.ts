import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export type RunSummary = {
  passed: number;
  /** Names of what failed: tests, files that did not load, errors outside any test. */
  failed: string[];
  skipped: { name: string; reason: string }[];
};

/** Writes a run's summary to the file that ERRATA_TEST_SUMMARY names, for `npm test`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env.ERRATA_TEST_SUMMARY;
    if (file) writeFileSync(file, JSON.stringify(summarize(modules, unhandledErrors)));
  }
}

function summarize(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): RunSummary {
  const summary: RunSummary = { passed: 0, failed: [], skipped: [] };
  for (const module of modules) {
    for (const error of module.errors()) summary.failed.push(`${module.relativeModuleId}: ${error.message}`);
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) {
        summary.failed.push(`${module.relativeModuleId} > ${suite.fullName}: ${error.message}`);
      }
    }
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId} > ${test.fullName}`;
      const result = test.result();
      if (result.state === 'passed') summary.passed++;
      else if (result.state === 'failed') summary.failed.push(name);
      else summary.skipped.push({ name, reason: ('note' in result && result.note) || nameOfGroup(test) });
    }
  }
  for (const error of unhandledErrors) summary.failed.push(`outside of any test: ${error.message}`);
  return summary;
}

/** A group that is skipped whole says why in its name. */
function nameOfGroup(test: TestCase): string {
  return test.fullName.includes(' > ') ? (test.fullName.split(' > ')[0] ?? '') : 'no reason given';
}
