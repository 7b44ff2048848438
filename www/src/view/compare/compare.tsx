/** Every profile on the same script. */
export function Compare() {
  return <section class="card compare" />;
}
