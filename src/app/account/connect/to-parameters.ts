/** The query of a page as parameters; of what was given twice the first counts. */
export function toParameters(
  query: Readonly<Record<string, string | string[] | undefined>>,
): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}
