/**
 * What a search says, word by word. The syntax is Sentry's: https://docs.sentry.io/concepts/search/ and the grammars of
 * getsentry/sentry (`static/app/components/searchSyntax`, `src/sentry/api/event_search.py`).
 */

/** Offsets in the text of the search, half-open. */
export type Span = { readonly start: number; readonly end: number };

export type SearchToken = TextToken | OperatorToken | GroupToken | FilterToken;

/** What has no key: one phrase in quotes, or all words up to the next filter or operator, spaces between them included. */
export type TextToken = Span & { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean };

export type OperatorToken = Span & { readonly kind: 'operator'; readonly operator: 'AND' | 'OR' };

export type GroupToken = Span & { readonly kind: 'group'; readonly tokens: readonly SearchToken[] };

export type FilterToken = Span & {
  readonly kind: 'filter';
  readonly form: FilterForm;
  readonly isNegated: boolean;
  readonly key: SearchKey;
  /** Empty for none. */
  readonly operator: SearchOperator;
  readonly value: SearchValue;
  /** Why the value cannot be what the key needs, in words; null when it can. */
  readonly problem: string | null;
};

export type FilterForm =
  | 'date'
  | 'specificDate'
  | 'relativeDate'
  | 'duration'
  | 'boolean'
  | 'numericIn'
  | 'numeric'
  | 'aggregateDuration'
  | 'aggregateSize'
  | 'aggregateNumeric'
  | 'aggregatePercentage'
  | 'aggregateDate'
  | 'aggregateRelativeDate'
  | 'has'
  | 'is'
  | 'textIn'
  | 'text';

/** The last three are written between two characters U+F00D, as Sentry's pages do. */
export type SearchOperator =
  | ''
  | '>='
  | '<='
  | '>'
  | '<'
  | '='
  | '!='
  | 'contains'
  | 'startsWith'
  | 'endsWith';

export type SearchKey =
  | (Span & { readonly kind: 'simple'; readonly name: string; readonly isQuoted: boolean })
  /** `tags[name]`, `tags[name,number]`, `flags[name]`. */
  | (Span & {
      readonly kind: 'tag';
      readonly prefix: 'tags' | 'flags';
      readonly name: string;
      /** null when not given. */
      readonly type: 'string' | 'number' | 'boolean' | null;
      readonly isQuoted: boolean;
    })
  /** `p95(transaction.duration)`. A parameter that was left empty is null. */
  | (Span & {
      readonly kind: 'aggregate';
      readonly name: string;
      readonly parameters: readonly (AggregateParameter | null)[];
    });

export type AggregateParameter = Span & { readonly text: string; readonly isQuoted: boolean };

/** `text` is as written, without quotes and with its backslashes. */
export type TextValue = Span & { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean };
export type NumberValue = Span & {
  readonly kind: 'number';
  readonly amount: string;
  /** As written: `k`, `M` …; empty for none. */
  readonly unit: string;
};

export type SearchValue =
  | TextValue
  | NumberValue
  /** A value that was left out is null. */
  | (Span & { readonly kind: 'texts'; readonly items: readonly (TextValue | null)[] })
  | (Span & { readonly kind: 'numbers'; readonly items: readonly (NumberValue | null)[] })
  | (Span & { readonly kind: 'date'; readonly text: string })
  | (Span & {
      readonly kind: 'relativeDate';
      readonly sign: '+' | '-';
      readonly amount: string;
      readonly unit: string;
    })
  | (Span & {
      readonly kind: 'duration' | 'size' | 'percentage';
      readonly amount: string;
      readonly unit: string;
    })
  | (Span & { readonly kind: 'boolean'; readonly text: string });

/** What a sticky pattern matches exactly here; null when it does not. */
export function readPattern(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
