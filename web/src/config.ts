/** Everything that another community would change to run this site for its game. */
export const config = {
  siteName: 'Capzone',
  slogan: 'Every frame counts.',
  description: 'Parkour maps, leaderboards and the fastest records of Bonk.io, kept by its community.',
  game: {
    name: 'Bonk.io',
    slug: 'bonk',
    /** Where the game is played. */
    url: 'https://bonk.io',
  },
  /** Where players get the mod that records replays. While it is null, pages send them to the chat for it. */
  modUrl: null as string | null,
  chatUrl: 'https://discord.gg/capzone',
  contact: 'privacy@capzone.example',
} as const
