/** Lists of what can be chosen in fields of names, into which anything else may be typed as well. */
export function KnownNames({
  id,
  names,
  functions,
}: {
  /** The lists are `${id}-names` and `${id}-functions`. */
  id: string;
  names: readonly string[];
  functions: readonly string[];
}) {
  return (
    <>
      <NameList id={`${id}-names`} names={names} />
      <NameList id={`${id}-functions`} names={functions} />
    </>
  );
}

const NameList = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);
