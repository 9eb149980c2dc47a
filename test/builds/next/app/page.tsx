import { CheckOut } from './check-out.tsx';

export default function Page() {
  return <CheckOut />;
}
