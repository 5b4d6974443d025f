// Everything that another community would change to run this site for its game.
export const config = {
  siteName: 'Capzone',
  tagline: 'Parkour maps and the fastest runs through them',
  slogan: 'Every frame counts.',
  game: {
    name: 'Bonk.io',
    slug: 'bonk',
  },
  chatUrl: 'https://discord.gg/capzone',
  contact: 'privacy@capzone.example',
} as const

export const loginPath = `/login-with-${config.game.slug}`
