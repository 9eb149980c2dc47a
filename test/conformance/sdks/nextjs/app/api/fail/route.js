export const dynamic = 'force-dynamic';

export function GET() {
  throw new RangeError('The server could not read the cart');
}
