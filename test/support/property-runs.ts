/** Runs of a property: enough for every commit; at night `PROPERTY_FACTOR=10` makes ten times as many. */
export const propertyRuns = (runs: number): number => runs * Number(process.env['PROPERTY_FACTOR'] ?? 1)
