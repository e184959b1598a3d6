// Queries: the data is what the function of the query returns.
declare module "@tanstack/react-query" {
  export interface QueryResult<T> {
    data: T | undefined;
    error: any;
    isLoading: boolean;
    isPending: boolean;
    isError: boolean;
    isSuccess: boolean;
    isFetching: boolean;
    status: string;
    refetch(options?: any): Promise<QueryResult<T>>;
  }
  export interface QueryOptions<T, D = T> {
    queryKey: any;
    queryFn?: (context: any) => T | Promise<T>;
    select?: (data: T) => D;
    enabled?: any;
    initialData?: any;
    placeholderData?: any;
    [name: string]: any;
  }
  export function useQuery<T, E = any, D = T>(options: QueryOptions<T, D>, client?: any): QueryResult<D>;
  export function useSuspenseQuery<T, E = any, D = T>(options: QueryOptions<T, D>, client?: any): QueryResult<D> & { data: D };
  export function queryOptions<T>(options: T): T;
  export interface MutationOptions<T, V> {
    mutationFn?: (values: V) => T | Promise<T>;
    onSuccess?: (data: T, values: V, context: any) => any;
    onError?: (error: any, values: V, context: any) => any;
    onSettled?: (data: T | undefined, error: any, values: V, context: any) => any;
    [name: string]: any;
  }
  export interface MutationResult<T, V> {
    data: T | undefined;
    error: any;
    isPending: boolean;
    isError: boolean;
    isSuccess: boolean;
    status: string;
    mutate(values: V, options?: any): void;
    mutateAsync(values: V, options?: any): Promise<T>;
    reset(): void;
  }
  export function useMutation<T, E = any, V = void>(options: MutationOptions<T, V>, client?: any): MutationResult<T, V>;
}
declare module "swr" {
  export interface Response<T> { data: T | undefined; error: any; isLoading: boolean; isValidating: boolean; mutate(data?: any, options?: any): Promise<T | undefined>; }
  export default function useSWR<T>(key: any, fetcher?: ((...values: any[]) => T | Promise<T>) | null, options?: any): Response<T>;
}
