import type { ReactNode } from 'react'
import { config } from '@/config'
import { PageHeading } from '@/shared/components/PageHeading'
import { Stack } from '@/shared/components/Stack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import text from '@/shared/theme/text.module.css'
import styles from './PrivacyPage.module.css'

export function Component() {
  usePageTitle('Privacy Policy')
  const { siteName, game, contact } = config
  return (
    <Stack as="article" gap={8} className={styles.page}>
      <PageHeading>Privacy Policy</PageHeading>
      <Part title="What we keep">
        <p>
          When you log in we keep what the game shows of your account: its name, its level and the base colour
          of its skin. When you hand in maps and runs we keep the replay files, the pictures and the texts you
          give us, and when you did so. There is no password and no e-mail address.
        </p>
      </Part>
      <Part title="What everybody sees">
        <p>
          Names, avatars, maps, times and replay files are public: they are what this site is for. Replay
          files can be downloaded from the leaderboards.
        </p>
      </Part>
      <Part title="Cookies and your browser's storage">
        <p>
          Logging in sets cookies that keep you logged in for up to 30 days; logging out removes them. Your
          browser also stores your colour mode, your last map search and whether you look at maps as cards or
          as a list. Until its tab is closed, it stores who is logged in there (name, avatar, level and
          roles), and what you typed into the map form and have not yet submitted. Nothing is used to follow
          you, and nothing comes from other sites.
        </p>
      </Part>
      <Part title="Addresses and logs">
        <p>
          To keep the site up we count requests per network address for a short while. Logs are deleted after
          30 days. We give no data to anybody else.
        </p>
      </Part>
      <Part title="Your say">
        <p>
          To see what we keep about you, or to have it corrected or removed, write to{' '}
          <a href={`mailto:${contact}`} className={styles.contact}>
            {contact}
          </a>
          .
        </p>
      </Part>
      <Part title="Not affiliated">
        <p>
          {siteName} is a fan-made community site. It is not affiliated with, endorsed or run by the owners of{' '}
          {game.name}, whose names and marks belong to them.
        </p>
      </Part>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section" gap={2}>
      <h2 className={styles.title}>{title}</h2>
      <div className={text.muted}>{children}</div>
    </Stack>
  )
}
