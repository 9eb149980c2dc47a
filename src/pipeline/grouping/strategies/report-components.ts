import type { NormalizedEvent } from '#protocol/event.ts';
import { component, ignored, leaf } from '../component.ts';
import type { ComponentsByVariant } from './components-by-variant.ts';
import { blockedOrigin, localScriptViolation } from './csp-violation.ts';

type Report = Readonly<Record<string, unknown>>;

/** A report on a certificate: its kind and the host. */
const hostReport = (kind: string, report: Report | null | undefined): ComponentsByVariant =>
  report
    ? { default: component(kind, [salt(kind.replace('_', '-')), leaf('hostname', hostOf(report))]) }
    : {};

export const expectCtComponents = ({ expectct }: NormalizedEvent): ComponentsByVariant =>
  hostReport('expect_ct', expectct);

export const expectStapleComponents = ({ expectstaple }: NormalizedEvent): ComponentsByVariant =>
  hostReport('expect_staple', expectstaple);

export const hpkpComponents = ({ hpkp }: NormalizedEvent): ComponentsByVariant => hostReport('hpkp', hpkp);

/** What a page's policy refused: the directive, and of its own scripts the kind, else where it came from. */
export function cspComponents({ csp }: NormalizedEvent): ComponentsByVariant {
  if (!csp) return {};
  const violation = localScriptViolation(csp);
  const origin = leaf('uri', blockedOrigin(csp));
  return {
    default: component('csp', [
      salt(textOf(csp.effective_directive)),
      violation === null
        ? ignored(leaf('violation', null), 'no script of the page itself was refused')
        : leaf('violation', `'${violation}'`),
      violation === null ? origin : ignored(origin, 'the kind of script tells more'),
    ]),
  };
}

const salt = (text: string) => leaf('salt', text, 'tells the kinds of reports apart');

const hostOf = (report: Report): string => textOf(report.hostname) || textOf(report.host_name);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
