/**
 * A module of src/web, typed by the test that uses it: those files are plain browser modules outside of tsc. Only modules
 * that touch no DOM while they are loaded can be asked for.
 */
export async function webModule<T>(relativePath: string): Promise<T> {
  return (await import(new URL(`../../src/web/${relativePath}`, import.meta.url).href)) as T
}
