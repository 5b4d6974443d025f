import { Alert, Button } from '@chakra-ui/react'

interface Props {
  text: string
  onRetry?: () => void
}

// ProblemAlert stands where something could not be loaded.
export function ProblemAlert({ text, onRetry }: Props) {
  return (
    <Alert.Root status="error" role="alert" alignItems="center">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{text}</Alert.Title>
      </Alert.Content>
      {onRetry && (
        <Button size="sm" variant="outline" colorPalette="red" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert.Root>
  )
}
