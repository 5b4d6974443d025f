import type { ReactNode } from 'react'
import { config } from '@/config'
import { Heading, Link, Stack, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function PrivacyPage() {
  usePageTitle('Privacy Policy')
  const { siteName, game, contact } = config
  return (
    <Stack as="article" gap="8" maxW="3xl">
      <PageHeading>Privacy Policy</PageHeading>
      <Part title="What we keep">
        When you log in we keep what the game shows of your account: its name, its level and the base colour of its
        skin. When you submit maps and records we keep the replay files, the pictures and the texts you give us, and
        when you did so. There is no password and no e-mail address.
      </Part>
      <Part title="What everybody sees">
        Names, avatars, maps, times and replay files are public: they are what this site is for. Replay files can be
        downloaded from the leaderboards.
      </Part>
      <Part title="Cookies and your browser's storage">
        Logging in sets cookies that keep you logged in for up to 30 days; logging out removes them. Your browser also
        stores your colour mode, your last map search and whether you look at maps as cards or as a list. Until its tab
        is closed, it stores who is logged in there (name, avatar, level and roles), and what you typed into the map
        form and have not yet submitted. Nothing is used to follow you, and nothing comes from other sites.
      </Part>
      <Part title="Addresses and logs">
        To keep the site up we count requests per network address for a short while. Logs are deleted after 30 days. We
        give no data to anybody else.
      </Part>
      <Part title="Your say">
        To see what we keep about you, or to have it corrected or removed, write to{' '}
        <Link href={`mailto:${contact}`} variant="underline" colorPalette="brand">
          {contact}
        </Link>
        .
      </Part>
      <Part title="Not affiliated">
        {siteName} is a fan-made community site. It is not affiliated with, endorsed or run by the owners of {game.name}
        , whose names and marks belong to them.
      </Part>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section" gap="2">
      <Heading as="h2" textStyle="xl">
        {title}
      </Heading>
      <Text color="fg.muted">{children}</Text>
    </Stack>
  )
}
