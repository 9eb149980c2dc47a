import type {
  FilterToken,
  SearchKey,
  SearchOperator,
  SearchToken,
  SearchValue,
} from '#product/search/syntax/search-tokens.ts';

/** A node of Sentry's syntax tree, as far as trees are compared: spaces are nodes as well. */
export type Shape = { type: string; [part: string]: unknown };

/** What Sentry's parser says of the same search. */
export function toSentryShape(query: string, tokens: readonly SearchToken[]): Shape[] {
  return shapesOf(query, tokens, 0, query.length);
}

function shapesOf(query: string, tokens: readonly SearchToken[], start: number, end: number): Shape[] {
  const shapes: Shape[] = [spaces(query.slice(start, tokens[0]?.start ?? end))];
  for (const [index, token] of tokens.entries()) {
    shapes.push(shapeOf(query, token), spaces(query.slice(token.end, tokens[index + 1]?.start ?? end)));
  }
  return shapes;
}

const spaces = (value: string): Shape => ({ type: 'spaces', value });

function shapeOf(query: string, token: SearchToken): Shape {
  switch (token.kind) {
    case 'text':
      return { type: 'freeText', value: token.text, quoted: token.isQuoted };
    case 'operator':
      return { type: 'logicBoolean', value: token.operator };
    case 'group':
      return { type: 'logicGroup', inner: shapesOf(query, token.tokens, token.start + 1, token.end - 1) };
    case 'filter':
      return filterShape(token);
  }
}

const filterShape = (token: FilterToken): Shape => ({
  type: 'filter',
  filter: token.form,
  negated: token.isNegated,
  key: keyShape(token.key),
  operator: WILDCARDS[token.operator] ?? token.operator,
  value: valueShape(token.value),
});

const WILDCARDS: Partial<Record<SearchOperator, string>> = {
  contains: '\uF00DContains\uF00D',
  startsWith: '\uF00DStartsWith\uF00D',
  endsWith: '\uF00DEndsWith\uF00D',
};

function keyShape(key: SearchKey): Shape {
  const simple = (value: string, quoted: boolean): Shape => ({ type: 'keySimple', value, quoted });
  switch (key.kind) {
    case 'simple':
      return simple(key.name, key.isQuoted);
    case 'tag': {
      const kind = key.prefix === 'tags' ? 'Tag' : 'Flag';
      const type = key.type === null ? '' : key.type[0]!.toUpperCase() + key.type.slice(1);
      return { type: `keyExplicit${type}${kind}`, prefix: key.prefix, key: simple(key.name, key.isQuoted) };
    }
    case 'aggregate':
      return {
        type: 'keyAggregate',
        name: simple(key.name, false),
        args:
          key.parameters.length === 0
            ? null
            : {
                type: 'keyAggregateArgs',
                args: key.parameters.map(
                  (parameter) =>
                    parameter && {
                      value: { type: 'keyAggregateParam', value: parameter.text, quoted: parameter.isQuoted },
                    },
                ),
              },
      };
  }
}

function valueShape(value: SearchValue): Shape {
  switch (value.kind) {
    case 'text':
      return { type: 'valueText', value: value.text, quoted: value.isQuoted };
    case 'texts':
      return {
        type: 'valueTextList',
        items: value.items.map((item) => ({ value: item && valueShape(item) })),
      };
    case 'numbers':
      return {
        type: 'valueNumberList',
        items: value.items.map((item) => ({ value: item && valueShape(item) })),
      };
    case 'number':
      return { type: 'valueNumber', value: value.amount };
    case 'date':
      return { type: 'valueIso8601Date', value: value.text };
    case 'relativeDate':
      return { type: 'valueRelativeDate', value: value.amount };
    case 'duration':
      return { type: 'valueDuration', value: value.amount };
    case 'size':
      return { type: 'valueSize', value: value.amount };
    case 'percentage':
      return { type: 'valuePercentage', value: value.amount };
    case 'boolean':
      return { type: 'valueBoolean', value: value.text };
  }
}
