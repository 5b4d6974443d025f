import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { config } from '@/config'
import { Heading, Link, Stack, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function PrivacyPage() {
  usePageTitle(t`Privacy Policy`)
  const { siteName, game, contact } = config
  return (
    <Stack as="article" gap="8" maxW="3xl">
      <PageHeading>
        <Trans>Privacy Policy</Trans>
      </PageHeading>
      <Part title={t`What we keep`}>
        <Trans>
          When you log in we keep what the game shows of your account: its name, its level and the base colour of its
          skin. When you submit maps and records we keep the replay files, the pictures and the texts you give us, and
          when you did so. There is no password and no e-mail address.
        </Trans>
      </Part>
      <Part title={t`What everybody sees`}>
        <Trans>
          Names, avatars, maps, times and replay files are public: they are what this site is for. Replay files can be
          downloaded from the leaderboards.
        </Trans>
      </Part>
      <Part title={t`Cookies and your browser's storage`}>
        <Trans>
          Logging in sets cookies that keep you logged in for up to 30 days; logging out removes them. Your browser also
          stores your colour mode, your last map search and whether you look at maps as cards or as a list. Until its
          tab is closed, it stores who is logged in there (name, avatar, level and roles), and what you typed into the
          map form and have not yet submitted. Nothing is used to follow you, and nothing comes from other sites.
        </Trans>
      </Part>
      <Part title={t`Addresses and logs`}>
        <Trans>
          To keep the site up we count requests per network address for a short while. Logs are deleted after 30 days.
          We give no data to anybody else.
        </Trans>
      </Part>
      <Part title={t`Your say`}>
        <Trans>
          To see what we keep about you, or to have it corrected or removed, write to{' '}
          <Link href={`mailto:${contact}`} variant="underline" colorPalette="brand">
            {contact}
          </Link>
          .
        </Trans>
      </Part>
      <Part title={t`Not affiliated`}>
        <Trans>
          {siteName} is a fan-made community site. It is not affiliated with, endorsed or run by the owners of{' '}
          {game.name}, whose names and marks belong to them.
        </Trans>
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
