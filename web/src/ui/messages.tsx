import { t } from '@lingui/core/macro'
import type { ComponentProps, ReactElement } from 'react'
import { Alert, Button, type Elements, EmptyState, Stack, sceneColor } from './basics'
import { AlertIcon } from './icons'

/** States that there is nothing to show, and offers what to do next. */
export function EmptyMessage(props: { title: string; hint?: string | ReactElement; children?: Elements }) {
  return (
    <EmptyState.Root borderWidth="1px" borderStyle="dashed" rounded="l3" px="4">
      <EmptyState.Content textAlign="center" textWrap="balance" gap="3">
        <svg viewBox="0 0 120 60" width="120" height="60" aria-hidden="true" fill="none" strokeLinecap="round">
          <path d="M8 48h40M72 48h40" stroke="var(--chakra-colors-border-emphasized)" strokeWidth="6" />
          <path d="M34 34Q60 -6 84 30" stroke="var(--chakra-colors-fg-subtle)" strokeWidth="2" strokeDasharray="1 7" />
          <circle cx="34" cy="36" r="9" fill={sceneColor('ball')} />
        </svg>
        <EmptyState.Title textStyle="md" fontWeight="semibold">
          {props.title}
        </EmptyState.Title>
        {props.hint && <EmptyState.Description textStyle="md">{props.hint}</EmptyState.Description>}
        {props.children}
      </EmptyState.Content>
    </EmptyState.Root>
  )
}

interface NoticeProps extends Omit<ComponentProps<typeof Alert.Root>, 'title'> {
  title: string | ReactElement
  description?: string | ReactElement | null | undefined
  /** The button beside the text. */
  children?: Elements
}

/** Something that the visitor has to know. */
export function Notice({ title, description, children, ...alert }: NoticeProps) {
  return (
    <Alert.Root alignItems={children ? 'center' : undefined} {...alert}>
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        {description && <Alert.Description>{description}</Alert.Description>}
      </Alert.Content>
      {children}
    </Alert.Root>
  )
}

/** Shows in the place of something that could not be loaded. */
export function ErrorAlert({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Notice role="alert" status="error" title={text}>
      <Button size="sm" variant="outline" colorPalette="red" onClick={onRetry}>{t`Try again`}</Button>
    </Notice>
  )
}

/** The middle of a page that has a message instead of content. */
export function CenteredMessage({ children, alert }: { children: Elements; alert?: boolean }) {
  return (
    <Stack
      gap="4"
      align="center"
      textAlign="center"
      textWrap="balance"
      maxW="md"
      mx="auto"
      py="16"
      px="4"
      role={alert ? 'alert' : undefined}
    >
      {children}
    </Stack>
  )
}

/**
 * Shows below the frame of index.html while there is no page yet. index.html has the same element and its styles, so that
 * it is visible before the first script is loaded.
 */
export function LoadingScreen({ text }: { text: string }) {
  return (
    <div className="loading" role="status">
      {text}
    </div>
  )
}
