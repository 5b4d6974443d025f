import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { config } from '@/config'
import { Link, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { PageLink } from '@/ui/links'
import { TextPart } from '@/ui/more/TextPart'
import { paths } from './paths'

export default function PrivacyPage() {
  usePageTitle(t`Privacy Policy`)
  const { siteName, game, contact } = config
  return (
    <Stack as="article" gap="8" maxW="3xl">
      <PageHeading>{t`Privacy Policy`}</PageHeading>
      <TextPart title={t`What we keep`}>
        <Trans>
          When you log in we keep what the game shows of your account: its name, its level and the base colour of its
          skin. When you submit maps and records we keep the replay files, the pictures and the texts you give us, and
          when you did so. We also keep what you set up: whom and what you follow, your notifications and settings,
          personal tokens as hashes, and webhooks with what they have sent. There is no password and no e-mail address.
        </Trans>
      </TextPart>
      <TextPart title={t`What for, and for how long`}>
        <Trans>
          Maps, records and their replay files stay for as long as the site shows them, because the times of others are
          compared with them. Notifications are deleted after 90 days, deliveries of webhooks after 30 days, tokens 30
          days after their end, and a session 30 days after its last use. Reports and appeals are kept for two years
          after they were answered, and decisions of moderators permanently, because they have to be explained.
        </Trans>
      </TextPart>
      <TextPart title={t`What everybody sees`}>
        <Trans>
          Names, avatars, maps, times and replay files are public: they are what this site is for. Replay files can be
          downloaded from the leaderboards. Every night, names, maps and times are put into files that everybody may
          copy and use.
        </Trans>
      </TextPart>
      <TextPart title={t`Cookies and your browser's storage`}>
        <Trans>
          Logging in sets cookies that keep you logged in for up to 30 days; logging out removes them. Your browser also
          stores your colour mode, your last map search and whether you look at maps as cards or as a list, and for
          players the rank and points of the last visit. Until its tab is closed, it stores who is logged in there
          (name, avatar, level and roles), and what you typed into the map form, a report, an appeal, its answer, a
          decision or its undoing and have not yet sent. Nothing is used to follow you, and nothing comes from other
          sites.
        </Trans>
      </TextPart>
      <TextPart title={t`Addresses and logs`}>
        <Trans>
          To keep the site up we count requests per network address for a short while. Logs are deleted after 30 days.
          Besides what is public, we give no data to anybody else.
        </Trans>
      </TextPart>
      <TextPart title={t`Your data in a file`}>
        <Trans>
          On{' '}
          <PageLink to={paths.ownData} variant="underline">
            a page of your settings
          </PageLink>{' '}
          you get a file of everything that is stored about you, once a day.
        </Trans>
      </TextPart>
      <TextPart title={t`Deleting your account`}>
        <Trans>
          You can also delete your account there. It happens 14 days later, and until then you can change your mind.
          Your name becomes “deleted player” with some digits; your avatar, level, roles and former names go, and so do
          the descriptions of your maps, the texts of your reports and appeals, whom you follow, your inbox, tokens and
          webhooks. Your records and maps stay under the new name, without their replay files. What moderators have
          decided about you stays, and so do the logs of their work, of your reports and of your appeals, and what
          others have written about you. The files of each night from before keep your name: we keep them for 14 days,
          and the first one of each month, and others may have copies. Backups keep deleted data until they are deleted
          themselves.
        </Trans>
      </TextPart>
      <TextPart title={t`Corrections and questions`}>
        <Trans>
          To have something corrected, or where you cannot log in, write to{' '}
          <Link href={`mailto:${contact}`} variant="underline" colorPalette="brand">
            {contact}
          </Link>
          .
        </Trans>
      </TextPart>
      <TextPart title={t`Not affiliated`}>
        <Trans>
          {siteName} is a fan-made community site. It is not affiliated with, endorsed or run by the owners of{' '}
          {game.name}, whose names and marks belong to them.
        </Trans>
      </TextPart>
    </Stack>
  )
}
