import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { config } from '@/config'
import { Code, Heading, Link, Stack, styled } from '@/ui'
import { CopyButton } from '@/ui/more/CopyButton'

const Steps = styled('ol', { base: { listStyleType: 'decimal', ps: '5', spaceY: '1', textStyle: 'sm' } })

/** How one plays a map and gets on its leaderboard. */
export function HowToPlay({ map }: { map: ParkourMap }) {
  const { game, chatUrl, modUrl } = config
  return (
    <Stack as="section" gap="1.5">
      <Heading as="h2" textStyle="md" fontWeight="semibold">{t`How to play this map`}</Heading>
      <Steps>
        <li>
          {modUrl ? (
            <Trans>
              Install <OutsideLink href={modUrl}>the replay mod</OutsideLink>.
            </Trans>
          ) : (
            <Trans>
              Install the replay mod. <OutsideLink href={chatUrl}>Ask in the chat</OutsideLink> where to get it.
            </Trans>
          )}
        </li>
        <li>
          <Trans>
            Open <OutsideLink href={game.url}>{game.name}</OutsideLink>, create a room, and search the map's id{' '}
            <Code size="xs">{map.bonkDbId}</Code>
          </Trans>
          <CopyButton label={t`Copy the map's id in the game`} text={String(map.bonkDbId)} />
        </li>
        <li>{t`Finish it, and drop the replay file anywhere on this page.`}</li>
      </Steps>
    </Stack>
  )
}

const OutsideLink = (props: { href: string; children: string }) => (
  <Link target="_blank" rel="noreferrer" variant="underline" color="brand.fg" {...props} />
)
