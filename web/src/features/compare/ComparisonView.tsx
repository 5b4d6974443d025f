import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Comparison, ModeScore, PlayerRef } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { skyOf, tint } from '@/entities/player/more/skyOf'
import { paths } from '@/routes/paths'
import { Box, type Column, DataTable, type Elements, Grid, Heading, Name, Stack, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { SortIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { Part } from '@/ui/Part'
import { CardInSky, Stage } from '@/ui/stage'

interface HeadProps {
  back: Elements
  comparison: Comparison | undefined
  /** Says why there is none. */
  failure: Elements | undefined
}

/** The head of two players: each below a sky of the own colour, with their score. */
export function ComparisonHead({ back, comparison, failure }: HeadProps) {
  return (
    <Stage
      of="comparison"
      back={back}
      sky={comparison && skyOf(comparison.player.skinColor, comparison.opponent.skinColor)}
      inSky={
        comparison ? (
          <Grid
            as="section"
            aria-label={t`Score`}
            gridTemplateColumns="minmax(0, 1fr) auto minmax(0, 1fr)"
            gap="4"
            w="full"
            mt="auto"
            pt="3"
            mb="14"
          >
            <Side player={comparison.player}>
              <Points label={t`Faster`} value={comparison.score.wins} />
            </Side>
            <Box alignSelf="end">
              <Points label={t`Ties`} value={comparison.score.ties} />
            </Box>
            <Side player={comparison.opponent}>
              <Points label={t`Faster`} value={comparison.score.losses} />
            </Side>
          </Grid>
        ) : (
          failure && <CardInSky>{failure}</CardInSky>
        )
      }
    >
      {comparison && (
        <Box textAlign="center">
          <PageHeading length={comparison.player.name.length + comparison.opponent.name.length}>
            <Trans>
              <Name>{comparison.player.name}</Name> against <Name>{comparison.opponent.name}</Name>
            </Trans>
          </PageHeading>
          <Text mt="1" color="fg.muted">
            {leaderText(comparison)}
          </Text>
        </Box>
      )}
    </Stage>
  )
}

/** The score as a bar, and by mode. The query is that of the mirrored address. */
export function ComparisonView({ comparison, query }: { comparison: Comparison; query: string }) {
  const { player, opponent, modes } = comparison
  return (
    <Stack gap="8">
      <Box textAlign="center">
        <ScoreBar comparison={comparison} />
        <ButtonLink mt="4" to={paths.compare(opponent._id, player._id) + query} size="sm" variant="outline">
          <SortIcon size={4} /> <Trans>Swap the players</Trans>
        </ButtonLink>
      </Box>
      {modes.length > 1 && (
        <Part title={t`By game mode`}>
          <DataTable
            label={t`Score by game mode`}
            columns={modeColumns(player, opponent)}
            rows={modes}
            idOf={({ mode }) => mode ?? ''}
          />
        </Part>
      )}
    </Stack>
  )
}

function leaderText({ player, opponent, score: { wins, losses } }: Comparison): string {
  if (wins === losses) return t`Neither leads.`
  const leader = wins > losses ? player.name : opponent.name
  return t`${leader} leads.`
}

function Side({ player, children }: { player: PlayerRef; children: Elements }) {
  return (
    <Stack gap="2" align="center" minW="0">
      <Avatar player={player} size={20} />
      <Heading as="h2" textStyle="md" maxW="full" overflowWrap="anywhere" textAlign="center" lineHeight="1.2">
        <PageLink to={paths.player(player._id)} color="inherit">
          <Name>{player.name}</Name>
        </PageLink>
      </Heading>
      <Box mt="auto">{children}</Box>
    </Stack>
  )
}

function Points({ label, value }: { label: string; value: number }) {
  return (
    <Stack gap="0" align="center">
      <Text fontFamily="heading" fontWeight="bold" fontSize="5xl" lineHeight="1" fontVariantNumeric="tabular-nums">
        {formatNumber(value)}
      </Text>
      <Text textStyle="xs">{label}</Text>
    </Stack>
  )
}

const Bar = styled('div', {
  base: { display: 'flex', gap: '0.5', h: '3', rounded: 'full', overflow: 'hidden', bg: 'border.emphasized' },
})

/** The shares of the score, each player's in the hue of the skin; the numbers above it say the same. */
function ScoreBar({ comparison: { player, opponent, score } }: { comparison: Comparison }) {
  return (
    <Bar aria-hidden="true">
      <div style={{ flexGrow: score.wins, background: tint(player.skinColor, 0.52, 0.15) }} />
      <div style={{ flexGrow: score.ties }} />
      <div style={{ flexGrow: score.losses, background: tint(opponent.skinColor, 0.68, 0.15) }} />
    </Bar>
  )
}

const modeColumns = (player: PlayerRef, opponent: PlayerRef): Column<ModeScore>[] => [
  { header: msg`Mode`, width: '5rem', cell: ({ mode }) => mode ?? t`Unknown` },
  { header: player.name, width: '2rem', align: 'end', cell: ({ score }) => formatNumber(score.wins) },
  { header: msg`Ties`, width: '2rem', align: 'end', muted: true, cell: ({ score }) => formatNumber(score.ties) },
  { header: opponent.name, width: '2rem', align: 'end', cell: ({ score }) => formatNumber(score.losses) },
]
