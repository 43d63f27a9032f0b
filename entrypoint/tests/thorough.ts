/** How often a test with random input repeats itself: `npm test` asks for every repetition, `npm run check` for a twentieth. */
export const repetitions = (whole: number): number => (process.env.THOROUGH ? whole : Math.ceil(whole / 20))
