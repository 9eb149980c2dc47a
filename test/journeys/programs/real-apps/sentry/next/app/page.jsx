export default function Page() {
  return <h1>Gateway</h1>;
}
