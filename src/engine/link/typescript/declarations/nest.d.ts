// Nest: what a container returns is an instance of the token.
declare module "@nestjs/core" {
  export interface Token<T> { new (...arguments: any[]): T; }
  export class ModuleRef {
    get<T, R = T>(token: Token<T> | string | symbol, options?: any): R;
    resolve<T, R = T>(token: Token<T> | string | symbol, context?: any, options?: any): Promise<R>;
    create<T>(token: Token<T>): Promise<T>;
  }
  export interface Application {
    get<T, R = T>(token: Token<T> | string | symbol, options?: any): R;
    resolve<T, R = T>(token: Token<T> | string | symbol, context?: any, options?: any): Promise<R>;
    select(module: any): Application;
    listen(port: any, ...rest: any[]): Promise<any>;
    close(): Promise<void>;
    init(): Promise<Application>;
    use(...handlers: any[]): Application;
    useGlobalPipes(...pipes: any[]): Application;
    useGlobalFilters(...filters: any[]): Application;
    useGlobalGuards(...guards: any[]): Application;
    useGlobalInterceptors(...interceptors: any[]): Application;
    setGlobalPrefix(prefix: string, options?: any): Application;
    enableCors(options?: any): void;
    enableShutdownHooks(signals?: any): Application;
    getHttpServer(): any;
    getHttpAdapter(): any;
    getUrl(): Promise<string>;
  }
  export const NestFactory: {
    create(module: any, ...options: any[]): Promise<Application>;
    createApplicationContext(module: any, options?: any): Promise<Application>;
    createMicroservice(module: any, options?: any): Promise<Application>;
  };
}
declare module "@nestjs/testing" {
  import { ModuleRef, Application } from "@nestjs/core";
  export class TestingModule extends ModuleRef {
    createNestApplication(...options: any[]): Application;
    init(): Promise<TestingModule>;
    close(): Promise<void>;
    select(module: any): Application;
  }
  export interface OverrideBy { useValue(value: any): TestingModuleBuilder; useClass(type: any): TestingModuleBuilder; useFactory(options: any): TestingModuleBuilder; }
  export interface TestingModuleBuilder {
    overrideProvider(token: any): OverrideBy;
    overrideGuard(token: any): OverrideBy;
    overridePipe(token: any): OverrideBy;
    overrideInterceptor(token: any): OverrideBy;
    overrideFilter(token: any): OverrideBy;
    useMocker(mocker: any): TestingModuleBuilder;
    setLogger(logger: any): TestingModuleBuilder;
    compile(options?: any): Promise<TestingModule>;
  }
  export const Test: { createTestingModule(module: any, options?: any): TestingModuleBuilder };
}
