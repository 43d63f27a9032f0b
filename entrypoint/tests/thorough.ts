/** How often a test with odd or random input repeats itself: `npm test` asks for all of it, `npm run check` for the first twentieth. */
export const repetitions = (whole: number): number => (process.env.THOROUGH ? whole : Math.ceil(whole / 20))
