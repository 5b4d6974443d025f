import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import { type Elements, Grid, Heading, Stack, Text } from '@/ui'
import { ButtonLink, ExternalButtonLink } from '@/ui/links'
import { Part } from '@/ui/Part'

/** What a visitor does for a first record. */
export function FirstSteps() {
  const { game, chatUrl, modUrl } = config
  return (
    <Part title={t`Your First Record`}>
      <Grid as="ol" columns={{ base: 1, md: 3 }} gap="6">
        <Step
          number={1}
          title={<Trans>Get the mod</Trans>}
          action={
            <ExternalButtonLink variant="outline" size="sm" href={modUrl ?? chatUrl}>
              {modUrl ? <Trans>Get the replay mod</Trans> : <Trans>Ask in the chat</Trans>}
            </ExternalButtonLink>
          }
        >
          <Trans>The replay mod records what you play in {game.name}.</Trans>
        </Step>
        <Step
          number={2}
          title={<Trans>Play one of five</Trans>}
          action={
            <ExternalButtonLink variant="outline" size="sm" href={game.url}>{t`Open ${game.name}`}</ExternalButtonLink>
          }
        >
          <Trans>The maps below are easy, and many players have finished them.</Trans>
        </Step>
        <Step
          number={3}
          title={<Trans>Submit the replay</Trans>}
          action={<ButtonLink to={paths.recordSubmit} variant="outline" size="sm">{t`Submit Record`}</ButtonLink>}
        >
          <Trans>Drop the file on the map's page. Your time is on the leaderboard a moment later.</Trans>
        </Step>
      </Grid>
    </Part>
  )
}

interface StepProps {
  number: number
  title: ReactNode
  action: Elements
  children: ReactNode
}

function Step({ number, title, action, children }: StepProps) {
  return (
    <Stack as="li" gap="2" align="flex-start">
      <Heading as="h3" textStyle="lg" fontWeight="semibold">
        <span>{`${number}. `}</span>
        <span>{title}</span>
      </Heading>
      <Text flex="1" color="fg.muted">
        {children}
      </Text>
      {action}
    </Stack>
  )
}
